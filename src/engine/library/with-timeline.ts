/** Wraps the library and note commands to record timeline events. */
import type { ItemId } from '../../api/ids.ts';
import type { NoteApi } from '../note/note-api.ts';
import { changedBy } from '../queue/timeline/timeline-reducer.ts';
import type { Timeline } from '../queue/timeline/timeline-store.ts';
import type { ItemAnswer, LibraryApi } from './library-api.ts';

export interface WithTimelineDeps {
  readonly timeline: Timeline;
  readonly clock: { now(): number };
}

type TimelineCommands = Pick<LibraryApi, 'updateItems' | 'deleteItems' | 'undeleteItems' | 'copyLink' | 'formatLinks'>;

export const withTimeline = (door: LibraryApi, { timeline, clock }: WithTimelineDeps): TimelineCommands => {
  const done = (answers: readonly ItemAnswer[]): ItemId[] =>
    answers.filter(({ item, failure }) => item !== null && failure === null).map(({ id }) => id);
  const copied = (ids: readonly ItemId[]) => timeline.tell(ids, { kind: 'copied', times: 1, last: clock.now() });
  return {
    async updateItems(ids, change, signal) {
      const answers = await door.updateItems(ids, change, signal);
      timeline.tell(done(answers), changedBy(change));
      return answers;
    },
    async deleteItems(ids, when, signal) {
      const answers = await door.deleteItems(ids, when, signal);
      // Extending an undo period is not another deletion.
      if (when !== 'longer') timeline.tell(done(answers), { kind: 'deleted' });
      return answers;
    },
    undeleteItems(ids) {
      const answers = door.undeleteItems(ids);
      timeline.tell(done(answers), { kind: 'undone' });
      return answers;
    },
    async copyLink(input) {
      const answer = await door.copyLink(input);
      if (answer.ok) copied([input.id]);
      return answer;
    },
    async formatLinks(input) {
      const answer = await door.formatLinks(input);
      if (answer.ok && input.to === 'clipboard') copied(input.ids);
      return answer;
    },
  };
};

export const editWithTimeline = (
  { editNote }: Pick<NoteApi, 'editNote'>,
  { timeline, clock }: WithTimelineDeps,
): Pick<NoteApi, 'editNote'> => ({
  async editNote(edit, signal) {
    const answer = await editNote(edit, signal);
    if (answer.ok && answer.value.outcome === 'saved') {
      timeline.tell([edit.id], { kind: 'edited', times: 1, last: clock.now() });
    }
    return answer;
  },
});
