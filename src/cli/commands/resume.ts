/** `linkshot resume`: finishes everything that an earlier run left in the queue. */
import { ok } from '../../api/errors.ts';
import { command } from '../command.ts';
import { atDesk, DONE } from '../client/with-engine.ts';
import { finish, type Job } from '../publishing/await-results.ts';
import { goOn, isLeft, isUntold } from '../publishing/find-resumable.ts';

export const resume = command({
  name: 'resume',
  summary: 'finish what was interrupted, and print the links',
  group: 'Queue',
  arguments: [],
  options: {},
  description: [
    'Goes on with everything in the queue: what was interrupted, what is paused, and what waited for a person. Bytes that the service has confirmed are not sent again.',
  ],
  json: ['For each item the line that upload prints: {"id","url","name","size","type"} or {"error"}.'],
  examples: [{ words: 'resume', does: 'after a crash, a dead network or Ctrl+C' }],
  run: (_, surroundings, signal) =>
    atDesk(surroundings, 'given', signal, async (desk) => {
      const left = desk.state().queue.items.filter((item) => isLeft(item) || isUntold(item));
      await desk.call('queue.resumeAll', {});
      await goOn(desk, left);
      if (left.length === 0) surroundings.report.note('Nothing is left to upload.');
      const jobs = left.map(({ id, name }): Job => ({ name, entered: ok(id) }));
      await finish(jobs, surroundings, desk, signal);
      return DONE;
    }),
});
