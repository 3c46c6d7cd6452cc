/** The commands that capture the screen. */
import type { captureCommands } from '../../contract/commands/capture.ts';
import { ok } from '../../contract/errors.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const captureHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof captureCommands> => ({
  'capture.take': async ({ share, ...request }, signal) => {
    const taken = await engine.capture(request, share ?? {}, signal);
    return taken.ok ? ok({ id: taken.value }) : taken;
  },
  'capture.displays': async (_, signal) => {
    const found = await engine.displays(signal);
    return found.ok ? ok({ displays: [...found.value] }) : found;
  },
});
