/** `linkshot status`: what is in the queue. It only looks, and needs neither key nor network. */
import { command } from '../command.ts';
import { atDesk, DONE } from '../client/with-engine.ts';
import { tellQueue } from '../output/items.ts';
import type { Surroundings } from '../context.ts';

export const status = command({
  name: 'status',
  summary: 'what is in the queue',
  group: 'Queue',
  arguments: [],
  options: {},
  description: ['Looks at the queue of the profile, or of the Linkshot that is running with it. Nothing is sent.'],
  json: [
    '{"itemId","kind","name","state","intent","size"} for each item, with "confirmedBytes" while it is sent, with "id" and "url" once it is published, and with "error" where something is in its way.',
  ],
  examples: [{ words: 'status', does: 'how far everything is' }],
  run: (_, surroundings, signal) => showQueue(surroundings, signal),
});

export const showQueue = (surroundings: Surroundings, signal: AbortSignal): Promise<void> =>
  atDesk(surroundings, 'none', signal, async (desk) => {
    const { items, live, paused } = desk.state().queue;
    const { report } = surroundings;
    if (items.length === 0) report.note('The queue is empty.');
    else if (paused) report.note('The queue is paused; linkshot queue resume goes on.');
    tellQueue(report, items, live);
    return DONE;
  });
