/**
 * Wraps the commands on published items, their links and notes, so that updates, deletions, copies and edits are
 * recorded in the timeline of their item.
 */
import type { ItemId } from '../../../api/ids.ts';
import type { CommandsOf } from '../../command-types.ts';
import type { ItemAnswer, LibraryApi } from '../../library/library-interface.ts';
import type { NoteApi } from '../../note/note-interface.ts';
import { settingsChanged } from './timeline-reducer.ts';
import type { Timeline } from './timeline-store.ts';

export interface WithTimelineDeps {
  readonly timeline: Timeline;
  readonly clock: { now(): number };
}

/** The items for which the command succeeded. */
const changedBy = (answers: readonly ItemAnswer[]): ItemId[] =>
  answers.filter(({ item, failure }) => item !== null && failure === null).map(({ id }) => id);

export const libraryWithTimeline = (library: LibraryApi, { timeline }: WithTimelineDeps): LibraryApi => ({
  ...library,
  async update(input, signal) {
    const reply = await library.update(input, signal);
    if (reply.ok) timeline.record(changedBy(reply.value.answers), settingsChanged(input.change));
    return reply;
  },
  async delete(input, signal) {
    const reply = await library.delete(input, signal);
    // Extending an undo period is not another deletion.
    if (reply.ok && input.when !== 'longer') timeline.record(changedBy(reply.value.answers), { kind: 'deleted' });
    return reply;
  },
  undelete(input) {
    const reply = library.undelete(input);
    if (reply.ok) timeline.record(changedBy(reply.value.answers), { kind: 'undone' });
    return reply;
  },
});

export const linksWithTimeline = (
  links: CommandsOf<'link'>,
  { timeline, clock }: WithTimelineDeps,
): CommandsOf<'link'> => {
  const copied = (ids: readonly ItemId[]) => timeline.record(ids, { kind: 'copied', times: 1, last: clock.now() });
  return {
    ...links,
    async copy(input) {
      const reply = await links.copy(input);
      if (reply.ok) copied([input.id]);
      return reply;
    },
    async format(input) {
      const reply = await links.format(input);
      if (reply.ok && input.to === 'clipboard') copied(input.ids);
      return reply;
    },
  };
};

export const notesWithTimeline = (notes: NoteApi, { timeline, clock }: WithTimelineDeps): NoteApi => ({
  ...notes,
  async edit(edit, signal) {
    const reply = await notes.edit(edit, signal);
    if (reply.ok && reply.value.outcome === 'saved')
      timeline.record([edit.id], { kind: 'edited', times: 1, last: clock.now() });
    return reply;
  },
});
