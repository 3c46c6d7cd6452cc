/**
 * `linkshot edit`: replaces the text of a published note; the link, password and access of the note stay. With
 * --revision it refuses to overwrite a newer revision, unless --force is given; without, it replaces the latest.
 */

import { PASTE_LANGUAGES, type PasteFormat } from '../../api/content.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { CommandInput } from '../../ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { choice, command, flag, parsed } from '../command-definition.ts';
import { readTextArgument } from '../input/read-text-argument.ts';
import { readWholeNumber } from '../input/read-whole-number.ts';
import { resolveItems } from '../input/resolve-items.ts';
import { libraryLine } from '../output/published-items.ts';
import { NOTE_TEXT } from './note.ts';

const FORMATS: readonly PasteFormat[] = ['plain', 'markdown', 'code'];

export const edit = command({
  name: 'edit',
  summary: 'replace the text of a note',
  group: 'Library',
  arguments: [
    { name: 'ID', summary: 'its link, or the id in it', count: 'one' },
    { name: 'FILE', summary: 'the new text; `-` is the standard input', count: 'one', offers: 'files' },
  ],
  options: {
    revision: parsed('N', 'the revision that was edited; the latest by default', readWholeNumber(1)),
    force: flag('overwrite changes made in the meantime'),
    format: choice('FORMAT', FORMATS, 'the new format'),
    language: choice('LANGUAGE', PASTE_LANGUAGES, 'the new language of code'),
  },
  description: [
    'show ID prints the revision. If the note was changed after that revision, the edit is refused and nothing is overwritten; --force overwrites it.',
    'A link of another service is refused, also where an item here has its id.',
  ],
  json: [
    'The line of list with the new "revision"; a conflict is the error PASTE_REVISION_CONFLICT with "params.currentRevision".',
  ],
  examples: [
    { words: 'edit 3kTq9 note.md', does: 'the link shows the new text' },
    { words: 'edit 3kTq9 - --revision 4 < note.md', does: 'only if revision 4 is still current' },
  ],
  run: async ({ words: [id = '', file = '-'], options }, context, signal) => {
    const { report } = context;
    const text = await readTextArgument(file, context, NOTE_TEXT, signal);
    if (!text.ok) return report.failed(file, text.error);
    await withEngine(context, 'given', signal, async (client) => {
      const [item] = await resolveItems(client, [id], report, 'to change');
      if (!item) return DONE;
      const revision = options.revision === undefined ? await newest(client, item) : ok(options.revision);
      if (!revision.ok) return revision;
      const kind = {
        ...(options.format && { format: options.format }),
        ...(options.language && { language: options.language, format: options.format ?? ('code' as const) }),
      };
      const change = { id: item.id, text: text.value, revision: revision.value, draft: 'leave' as const, ...kind };
      const saved = await save(client, change, options.force ? 'overwrite' : 'refuse');
      if (!saved.ok) return saved;
      report.say(libraryLine(saved.value), `${saved.value.content.url}  revision ${saved.value.content.revision}`);
      return DONE;
    });
  },
});

const newest = async (client: EngineClient, { id }: LibraryItem): Promise<Result<number>> => {
  const read = await client.call('note.read', { id });
  return read.ok ? ok(read.value.note.revision) : read;
};

/** Errors: PASTE_REVISION_CONFLICT. Leaves the note's draft alone: the user typed it in the window. */
const save = async (
  client: EngineClient,
  change: CommandInput<'note.edit'>,
  conflict: 'refuse' | 'overwrite',
): Promise<Result<LibraryItem>> => {
  const saved = await client.call('note.edit', change);
  if (!saved.ok) return saved;
  if (saved.value.outcome === 'saved') return ok(saved.value.item);
  const currentRevision = saved.value.theirs.revision;
  if (conflict === 'overwrite') return save(client, { ...change, revision: currentRevision }, 'overwrite');
  return err(
    failure('PASTE_REVISION_CONFLICT', 'The note was changed in the meantime.', { params: { currentRevision } }),
  );
};
