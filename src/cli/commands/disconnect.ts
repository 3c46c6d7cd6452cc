/** `linkshot disconnect`: removes the key of the active account. */
import { err, failure } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';

export const disconnect = command({
  name: 'disconnect',
  summary: 'remove the key of the service',
  group: 'Service',
  arguments: [],
  options: {},
  description: ['Items in the queue wait until the account is connected again.'],
  json: ['{"disconnected"}: the address of the service.'],
  examples: [{ words: 'disconnect', does: 'removes the key' }],
  connects: 'by itself',
  run: (_, context, signal) =>
    withEngine(context, 'stored', signal, async (client) => {
      const { connection } = client.state();
      if (connection.state === 'none') return err(failure('NOT_CONNECTED', 'Not connected to a service.'));
      const done = await client.call('connection.disconnect', {});
      if (!done.ok) return done;
      context.report.say({ disconnected: connection.server }, `Disconnected from ${connection.server}.`);
      return DONE;
    }),
});
