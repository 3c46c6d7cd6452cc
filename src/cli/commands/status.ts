/** `linkshot status`: shows the queue. Read-only; needs neither key nor network. */

import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { reportQueue } from '../output/items.ts';

export const status = command({
  name: 'status',
  summary: 'show the queue',
  group: 'Queue',
  arguments: [],
  options: {},
  description: ['Shows the queue of the profile, or of the Linkshot that is running with it. Nothing is sent.'],
  json: [
    '{"itemId","kind","name","state","intent","size"} for each item, with "confirmedBytes" during the upload, with "id" and "url" once it is published, and with "error" if it failed.',
  ],
  examples: [{ words: 'status', does: 'progress of all items' }],
  run: (_, context, signal) => showQueue(context, signal),
});

export const showQueue = (context: CommandContext, signal: AbortSignal): Promise<void> =>
  withEngine(context, 'none', signal, async (client) => {
    const { items, live, paused } = client.state().queue;
    const { report } = context;
    if (items.length === 0) report.note('The queue is empty.');
    else if (paused) report.note('The queue is paused; run linkshot queue resume to continue.');
    reportQueue(report, items, live);
    return DONE;
  });
