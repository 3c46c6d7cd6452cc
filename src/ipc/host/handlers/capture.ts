/** Handlers of the capture commands. */

import { err, failure, ok } from '../../../api/errors.ts';
import type { captureCommands } from '../../protocol/commands/capture.ts';
import { done, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const captureHandlers = ({ engine, sources }: HandlerDeps): HandlersOf<keyof typeof captureCommands> => ({
  'capture.take': async ({ share, ...request }, signal) => {
    const captured = await engine.capture(request, share ?? {}, signal);
    return captured.ok ? ok({ id: captured.value }) : captured;
  },
  'capture.displays': async (_, signal) => {
    const found = await engine.displays(signal);
    return found.ok ? ok({ displays: [...found.value] }) : found;
  },
  'capture.start': (request, signal) => done(engine.startCapture(request, signal)),
  'capture.choose': async ({ id, area, way }, signal) => {
    const chosen = await engine.chooseCapture(id, area, way, signal);
    return chosen.ok ? ok({ item: chosen.value }) : chosen;
  },
  'capture.finish': async ({ id, picture, after, share }, signal) => {
    const [edited] = picture === null ? [] : (sources.take([picture]) ?? []);
    if (picture !== null && edited?.source.owner !== 'spool')
      return err(failure('COMMAND_INVALID', 'The edited picture did not arrive. Try again.'));
    const request = { id, picture: edited?.source.path ?? null, after, share: share ?? {} };
    const finished = await engine.finishCapture(request, signal);
    return finished.ok ? ok({ item: finished.value }) : finished;
  },
  'capture.cancel': async () => {
    await engine.cancelCapture();
    return ok({});
  },
  'capture.restore': async ({ id }) => {
    const restored = engine.restoreCapture(id);
    return restored.ok ? ok({}) : restored;
  },
  'capture.draft': async ({ id }) => ok({ draft: await engine.captureDraft(id) }),
  'capture.keepDraft': ({ id, draft }) => done(engine.keepCaptureDraft(id, draft)),
});
