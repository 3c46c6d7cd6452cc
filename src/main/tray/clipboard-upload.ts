/**
 * Uploads what lies on the clipboard: files, else a picture, else text as a note. A file manager also copies names or icons
 * of files, so these come first. Promise: a picture is whole in the spool before it is queued.
 */
import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Result } from '../../contract/errors.ts';
import type { ItemId } from '../../contract/ids.ts';
import { stampOf } from '../../contract/stamp.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Clock, type Random, UNFINISHED } from '../../engine/ports.ts';
import type { DesktopClipboard } from '../ports/clipboard.ts';

export interface ClipboardUploadDeps {
  readonly engine: Pick<Engine, 'add' | 'addNote' | 'spoolDir'>;
  readonly clipboard: Pick<DesktopClipboard, 'readFiles' | 'readPicture' | 'readText'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'uuid'>;
}

/** Such as `Clipboard 2026-11-20 18.04.05.png`, in the person's own time. */
const nameAt = (now: Date): string => {
  const { date, time } = stampOf(now);
  return `Clipboard ${date} ${time}.png`;
};

/** Errors: NOTE_EMPTY where there is none of them, APP_FAILED where the clipboard cannot be read, those of adding. */
export const uploadClipboard = async (deps: ClipboardUploadDeps): Promise<Result<readonly ItemId[]>> => {
  const { engine, clipboard, clock, random } = deps;
  const files = await clipboard.readFiles();
  if (!files.ok) return files;
  if (files.value.length > 0)
    return engine.add(files.value.map((path) => ({ source: { owner: 'person', path }, name: basename(path) })));
  const picture = await clipboard.readPicture();
  if (!picture.ok) return picture;
  if (picture.value) {
    const path = join(engine.spoolDir, `${random.uuid()}.png`);
    await writeFile(`${path}${UNFINISHED}`, picture.value, { mode: 0o600 });
    await rename(`${path}${UNFINISHED}`, path);
    return engine.add([{ source: { owner: 'spool', path }, name: nameAt(new Date(clock.now())) }]);
  }
  const text = await clipboard.readText();
  if (!text.ok) return text;
  const added = await engine.addNote({ text: text.value });
  return added.ok ? { ok: true, value: [added.value] } : added;
};
