/**
 * Adds texts and text files to the upload queue as notes, all or none: validates them and writes each to a file in
 * the app's spool folder before it is queued. The files are flushed to disk first, so that a crash loses no queued
 * note. Also detects the format of a text.
 */

import { basename, join } from 'node:path';
import { err, ok, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { detectNoteKind, type NoteKind } from '../../common/rendering/detect-note-kind.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { NewItem, QueueApi } from '../engine-interface.ts';
import type { Random } from '../ports.ts';
import { NOTE_ENDING } from '../profile/spool.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { writeAtomically } from '../write-atomically.ts';
import type { NoteApi } from './note-interface.ts';
import { readNoteFile } from './read-note-file.ts';
import { validateNoteText } from './validate-note-text.ts';

export interface AddNotesDeps {
  readonly random: Random;
  readonly spoolDir: string;
  readonly openSource: OpenSourceAt;
  readonly add: QueueApi['add'];
}

interface Text {
  readonly text: string;
  /** Of the file that it came from. */
  readonly name: string | null;
  readonly kind: NoteKind;
  readonly share: LinkSettings;
  /** As in `QueueItem`. */
  readonly printPending?: NewItem['printPending'];
}

type RequestedKind = { readonly format?: NoteKind['format']; readonly language?: NoteKind['language'] };

export const createNoteAdder = ({
  random,
  spoolDir,
  openSource,
  add: enqueue,
}: AddNotesDeps): Pick<NoteApi, 'add' | 'addFiles' | 'addPaths' | 'guess'> => {
  const spooled = async ({ text, name, kind, share, printPending }: Text): Promise<NewItem> => {
    const path = join(spoolDir, `${random.uuid()}${NOTE_ENDING}`);
    await writeAtomically(path, text);
    return {
      source: { owner: 'spool', path },
      name: name || share.title || nameOf(text, kind),
      share: { ...titleOf(name, kind), ...share },
      job: { kind: 'note', ...kind },
      ...(printPending && { printPending }),
    };
  };

  const addTexts = async (texts: readonly Text[]): Promise<Result<readonly ItemId[]>> => {
    const items: NewItem[] = [];
    const clear = () => Promise.all(items.map(({ source }) => rm(source.path, { force: true })));
    try {
      for (const text of texts) items.push(await spooled(text));
      const added = await enqueue(items);
      if (!added.ok) await clear();
      return added;
    } catch (error) {
      await clear();
      return diskFullOrThrow(error);
    }
  };

  const addFiles: NoteApi['addFiles'] = async (files, { share = {}, ...requested }) => {
    const texts: Text[] = [];
    for (const { path, name } of files) {
      const text = await readNoteFile(path, openSource);
      const refusal = text.ok ? validateNoteText(text.value) : text.error;
      if (!text.ok || refusal)
        return err({ ...(refusal as NonNullable<typeof refusal>), params: { ...refusal?.params, name } });
      texts.push({ text: text.value, name, kind: kindOf(text.value, name, requested), share });
    }
    return await addTexts(texts);
  };

  return {
    async add({ text: typed, name, share = {}, printPending, ...requested }) {
      const text = typed.toWellFormed();
      const refusal = validateNoteText(text);
      if (refusal) return err(refusal);
      const kind = kindOf(text, name ?? null, requested);
      const added = await addTexts([{ text, name: name ?? null, kind, share, ...(printPending && { printPending }) }]);
      if (!added.ok) return added;
      const [id] = added.value;
      if (id === undefined) throw new Error('A note was added, and has no id.');
      return ok({ id });
    },
    addFiles,
    async addPaths({ paths, ...how }) {
      const added = await addFiles(
        paths.map((path) => ({ path, name: basename(path) })),
        how,
      );
      return added.ok ? ok({ ids: [...added.value] }) : added;
    },
    guess: ({ text, name }) => ok(detectNoteKind(text, name ?? null)),
  };
};

/** A given language implies code; a format alone leaves the language to detection. */
const kindOf = (text: string, name: string | null, { format, language }: RequestedKind): NoteKind => {
  const guessed = detectNoteKind(text, name);
  const kind = format ?? (language ? 'code' : guessed.format);
  return { format: kind, language: kind === 'code' ? (language ?? guessed.language ?? 'text') : null };
};

/** A name until the service has found a title: the first words, without Markdown marks. */
const nameOf = (text: string, { format }: NoteKind): string => {
  const first = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const line = format === 'markdown' ? first.replace(/^[\s>#*+-]+|[*`]+/g, '') : first;
  return [...line.replace(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, 60).join('') || 'note';
};

/** Code gets its full file name as title; without a file name the service uses the first line with text. */
const titleOf = (name: string | null, { format }: NoteKind): LinkSettings => {
  const title = name === null || format === 'code' ? name : name.replace(/(?<=.)\.\w{1,10}$/, '');
  return title ? { title: [...title].slice(0, LIMITS.titleMaxCharacters).join('') } : {};
};
