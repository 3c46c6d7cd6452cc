/** `linkshot resume`: completes everything that an earlier run left in the queue. */
import { ok } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';
import { awaitResults, type Job } from '../publishing/await-results.ts';
import { isLeft, isUnprinted, resumeItem } from '../publishing/find-resumable.ts';

export const resume = command({
  name: 'resume',
  summary: 'continue interrupted uploads, and print the links',
  group: 'Queue',
  arguments: [],
  options: {},
  description: [
    'Continues everything in the queue: interrupted and paused items, and those that need your attention. Bytes that the service has confirmed are not sent again.',
  ],
  json: ['For each item the line that upload prints: {"id","url","name","size","type"} or {"error"}.'],
  examples: [{ words: 'resume', does: 'after a crash, a network failure or Ctrl+C' }],
  run: (_, context, signal) =>
    withEngine(context, 'given', signal, async (client) => {
      const left = client.state().queue.items.filter((item) => isLeft(item) || isUnprinted(item));
      await client.call('queue.resumeAll', {});
      await resumeItem(client, left);
      if (left.length === 0) context.report.note('Nothing is left to upload.');
      const jobs = left.map(({ id, name }): Job => ({ name, entered: ok(id) }));
      await awaitResults(jobs, context, client, signal);
      return DONE;
    }),
});
