/** Handlers of the file upload commands; slices travel separately. */

import { ok } from '../../../api/errors.ts';
import type { intakeCommands } from '../../protocol/commands/file-upload.ts';
import { DONE, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const intakeHandlers = ({ engine, intake }: HandlerDeps): HandlersOf<keyof typeof intakeCommands> => ({
  'intake.open': (file) => intake.open(file),
  'intake.state': ({ id }) => intake.state(id),
  'intake.finish': ({ id, sha256 }) => intake.finish(id, sha256),
  'intake.folder': () => ok({ path: engine.spoolDir }),
  'intake.clipboard': async () => {
    const copied = await engine.readClipboard();
    return copied.ok ? ok({ copied: copied.value }) : copied;
  },
  'intake.abandon': async ({ id }) => {
    await intake.abandon(id);
    return DONE;
  },
});
