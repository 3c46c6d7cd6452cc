/** `linkshot whoami`: shows the active account, freshly read from the service. */
import { err, failure } from '../../api/errors.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command.ts';
import { accountLine, accountPage } from '../output/account.ts';

export const whoami = command({
  name: 'whoami',
  summary: 'show the account, its plan and its storage',
  group: 'Service',
  arguments: [],
  options: {},
  description: ['Reads the account from the service. With --server and --key: the account of that key.'],
  json: [
    '{"id","username","name","server","plan","storageUsed","quotaBytes","maxImageBytes","maxVideoBytes","features","keyPlace","key":{"name","scopes","expiresAt"}}; "id" is that of the account.',
  ],
  examples: [{ words: 'whoami', does: 'the account in use' }],
  run: (_, context, signal) =>
    withEngine(context, 'given', signal, async (client) => {
      const { report } = context;
      const refreshed = await client.call('connection.refresh', {});
      if (!refreshed.ok) return refreshed;
      const { value: connection } = refreshed;
      switch (connection.state) {
        case 'connected':
          report.say(accountLine(connection), accountPage(connection, report.style));
          return DONE;
        case 'failed':
          return err(connection.failure);
        case 'connecting':
          return err(failure('SERVER_UNREACHABLE', 'The service has not responded.'));
        default:
          return err(failure('NOT_CONNECTED', 'Not connected to a service.'));
      }
    }),
});
