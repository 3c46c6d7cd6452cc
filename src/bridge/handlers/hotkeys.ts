/** The commands of the global hotkeys. */
import type { hotkeyCommands } from '../../contract/app/commands/hotkeys.ts';
import { ok } from '../../contract/errors.ts';
import type { HandlerDeps, HandlersOf } from './handlers.ts';

export const hotkeyHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof hotkeyCommands> => ({
  'hotkeys.test': async ({ action }, signal) => ok(await engine.testHotkey(action, signal)),
  'hotkeys.retry': async () => {
    await engine.retryHotkeys();
    return ok({});
  },
});
