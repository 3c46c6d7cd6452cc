/**
 * Takes in what a person has copied: files, else a picture, else text as a note. A file manager also copies names or icons
 * of files, so these come first. Promise: a picture is whole in the spool before it is queued.
 */
import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stampOf } from '../../contract/app/stamp.ts';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import type { Engine, NewItem } from '../door.ts';
import { type Clock, type Copied, type Random, UNFINISHED } from '../ports.ts';
import type { ClipboardDoor } from './door.ts';

export interface AddClipboardDeps extends Pick<Engine, 'add' | 'addNote' | 'spoolDir'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
  /** Absent where the host reaches no clipboard. */
  readonly copied?: Copied;
}

/** Such as `Clipboard 2026-11-20 18.04.05.png`, in the person's own time. */
const nameAt = (now: Date): string => {
  const { date, time } = stampOf(now);
  return `Clipboard ${date} ${time}.png`;
};

const nothing = () => failure('NOTE_EMPTY', 'Nothing on the clipboard can be shared.');
const unreachable = () => failure('COMMAND_INVALID', 'The clipboard cannot be read from here.');

export const createAddClipboard = (deps: AddClipboardDeps): ClipboardDoor['addClipboard'] => {
  const { clock, random, copied, spoolDir } = deps;

  const pictureOf = async (png: Uint8Array, name: string): Promise<NewItem> => {
    const path = join(spoolDir, `${random.uuid()}.png`);
    await writeFile(`${path}${UNFINISHED}`, png, { mode: 0o600 });
    await rename(`${path}${UNFINISHED}`, path);
    return { source: { owner: 'spool', path }, name };
  };

  return async ({ share, pictureName } = {}, by = 'window'): Promise<Result<readonly ItemId[]>> => {
    if (!copied) return err(unreachable());
    const how = share ? { share } : {};
    const files = await copied.readFiles();
    if (!files.ok) return files;
    const items: NewItem[] = files.value.map((path) => ({ source: { owner: 'person', path }, name: basename(path) }));
    const picture = items.length > 0 ? ok(null) : await copied.readPicture();
    if (!picture.ok) return picture;
    if (picture.value) items.push(await pictureOf(picture.value, pictureName ?? nameAt(new Date(clock.now()))));
    if (items.length > 0)
      return deps.add(
        items.map((item) => ({ ...item, ...how })),
        by,
      );
    const text = await copied.readText();
    if (!text.ok) return text;
    if (text.value.trim() === '') return err(nothing());
    const added = await deps.addNote({ text: text.value, ...how });
    return added.ok ? ok([added.value]) : added;
  };
};
