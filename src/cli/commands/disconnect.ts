/** `linkshot disconnect`: forgets the key of the account that new items go to. */
import { err, failure } from '../../api/errors.ts';
import { command } from '../command.ts';
import { atDesk, DONE } from '../client/with-engine.ts';

export const disconnect = command({
  name: 'disconnect',
  summary: 'forget the key of the service',
  group: 'Service',
  arguments: [],
  options: {},
  description: ['What waits in the queue stays there until the account is connected again.'],
  json: ['{"disconnected"}: the address of the service.'],
  examples: [{ words: 'disconnect', does: 'the key is forgotten' }],
  connects: 'by itself',
  run: (_, surroundings, signal) =>
    atDesk(surroundings, 'stored', signal, async (desk) => {
      const { connection } = desk.state();
      if (connection.state === 'none') return err(failure('NOT_CONNECTED', 'There is no connection.'));
      const done = await desk.call('connection.disconnect', {});
      if (!done.ok) return done;
      surroundings.report.say({ disconnected: connection.server }, `Disconnected from ${connection.server}.`);
      return DONE;
    }),
});
