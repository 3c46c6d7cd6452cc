/** Handlers of the hotkey commands. */

import { ok } from '../../../api/errors.ts';
import type { hotkeyCommands } from '../../protocol/commands/hotkeys.ts';
import { done, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const hotkeyHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof hotkeyCommands> => ({
  'hotkeys.test': async ({ action }, signal) => ok(await engine.testHotkey(action, signal)),
  'hotkeys.retry': async () => {
    await engine.retryHotkeys();
    return ok({});
  },
  'hotkeys.replaceSnippingTool': ({ isOn }) => done(engine.replaceSnippingTool(isOn)),
});
