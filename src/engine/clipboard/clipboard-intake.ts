/**
 * Reads the clipboard for a caller, or adds its content to the queue: files, else an image, else text as a note; files
 * come first because a file manager also copies their names or icons. Also adds an image that the app itself provides.
 * Every image is first saved as a file of the app.
 */

import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { Copied } from '../../ipc/protocol/commands/incoming-files.ts';
import { clipboardImageName } from '../../ipc/protocol/file-name-timestamp.ts';
import type { QueueApi } from '../engine-interface.ts';
import type { NoteApi } from '../note/note-interface.ts';
import { validateNoteText } from '../note/validate-note-text.ts';
import type { ClipboardReader, Clock, Random } from '../ports.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import type { ClipboardApi } from './clipboard-interface.ts';

export interface ClipboardDeps {
  readonly add: QueueApi['add'];
  readonly addNote: NoteApi['add'];
  readonly spoolDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
  /** Absent where the host has no clipboard. */
  readonly copied?: ClipboardReader;
}

const nothing = () => failure('NOTE_EMPTY', 'Nothing on the clipboard can be shared.');
const outOfReach = () => failure('COMMAND_INVALID', 'The clipboard cannot be read from here.');

export const createClipboardIntake = (deps: ClipboardDeps): ClipboardApi => {
  const { clock, random, copied, spoolDir } = deps;

  const spooled = async (png: Uint8Array): Promise<string> => {
    const path = join(spoolDir, `${random.uuid()}.png`);
    const unfinished = path + UNFINISHED;
    try {
      await writeFile(unfinished, png, { mode: 0o600 });
      await rename(unfinished, path);
      return path;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  };

  /** Path of the picture as a file of the app. Errors: DISK_FULL. */
  const spool = async (png: Uint8Array): Promise<Result<string>> => {
    try {
      return ok(await spooled(png));
    } catch (error) {
      return diskFullOrThrow(error);
    }
  };

  const addSpooled = async (path: string, name: string) => {
    const added = await deps.add([{ source: { owner: 'spool', path }, name }]);
    if (!added.ok) await rm(path, { force: true });
    return added;
  };

  const read = async (): Promise<Result<Copied>> => {
    if (!copied) return err(outOfReach());
    const files = await copied.readFiles();
    if (!files.ok) return files;
    if (files.value.length > 0) return ok({ kind: 'files', paths: [...files.value] });
    const picture = await copied.readPicture();
    if (!picture.ok) return picture;
    if (picture.value) {
      const path = await spool(picture.value);
      return path.ok ? ok({ kind: 'picture', path: path.value }) : path;
    }
    const text = await copied.readText();
    if (!text.ok) return text;
    const refusal = text.value.trim() === '' ? nothing() : validateNoteText(text.value);
    return refusal ? err(refusal) : ok({ kind: 'text', text: text.value });
  };

  return {
    async clipboard() {
      const copied = await read();
      return copied.ok ? ok({ copied: copied.value }) : copied;
    },
    async addPicture(png, name) {
      const path = await spool(png);
      return path.ok ? addSpooled(path.value, name) : path;
    },
    async addClipboard() {
      const found = await read();
      if (!found.ok) return found;
      const { value } = found;
      switch (value.kind) {
        case 'files':
          return deps.add(value.paths.map((path) => ({ source: { owner: 'user', path }, name: basename(path) })));
        case 'picture':
          return addSpooled(value.path, clipboardImageName(new Date(clock.now())));
        case 'text': {
          const added = await deps.addNote({ text: value.text });
          return added.ok ? ok([added.value.id]) : added;
        }
        default:
          return unreachable(value);
      }
    },
  };
};
