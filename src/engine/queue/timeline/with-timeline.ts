/** Wraps the library and note commands to record timeline events. */
import type { ItemId } from '../../../api/ids.ts';
import type { NoteApi } from '../../note/note-api.ts';
import { settingsChanged } from './timeline-reducer.ts';
import type { Timeline } from './timeline-store.ts';
import type { ItemAnswer, LibraryApi } from '../../library/library-api.ts';

export interface WithTimelineDeps {
  readonly timeline: Timeline;
  readonly clock: { now(): number };
}

type TimelineCommands = Pick<LibraryApi, 'updateItems' | 'deleteItems' | 'undeleteItems' | 'copyLink' | 'formatLinks'>;

export const withTimeline = (commands: LibraryApi, { timeline, clock }: WithTimelineDeps): TimelineCommands => {
  const done = (answers: readonly ItemAnswer[]): ItemId[] =>
    answers.filter(({ item, failure }) => item !== null && failure === null).map(({ id }) => id);
  const copied = (ids: readonly ItemId[]) => timeline.record(ids, { kind: 'copied', times: 1, last: clock.now() });
  return {
    async updateItems(ids, change, signal) {
      const answers = await commands.updateItems(ids, change, signal);
      timeline.record(done(answers), settingsChanged(change));
      return answers;
    },
    async deleteItems(ids, when, signal) {
      const answers = await commands.deleteItems(ids, when, signal);
      // Extending an undo period is not another deletion.
      if (when !== 'longer') timeline.record(done(answers), { kind: 'deleted' });
      return answers;
    },
    undeleteItems(ids) {
      const answers = commands.undeleteItems(ids);
      timeline.record(done(answers), { kind: 'undone' });
      return answers;
    },
    async copyLink(input) {
      const answer = await commands.copyLink(input);
      if (answer.ok) copied([input.id]);
      return answer;
    },
    async formatLinks(input) {
      const answer = await commands.formatLinks(input);
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
      timeline.record([edit.id], { kind: 'edited', times: 1, last: clock.now() });
    }
    return answer;
  },
});
