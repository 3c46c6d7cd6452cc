/**
 * `linkshot accounts` lists the connected accounts or chooses the active one. `linkshot whoami` shows the account in
 * use, freshly read from the service.
 */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { AppState, ConnectedAccount } from '../../ipc/protocol/app-state.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import { command } from '../command-definition.ts';
import { accountLine, accountPage } from '../output/account.ts';
import type { Report } from '../output/command-output.ts';
import { columns, formatCount, printable } from '../output/format.ts';

/** `linkshot accounts`: lists the accounts that this profile is connected to, or chooses the active one. */
export const accounts = command({
  name: 'accounts',
  summary: 'list the connected accounts, or choose the active one',
  group: 'Service',
  arguments: [{ name: 'NAME', summary: 'the account to use for new items', count: 'at most one' }],
  options: {},
  description: [
    'Every account has its own key, and queued items stay with their account. linkshot connect adds one.',
    'An account is named by its user name, by the address of its service, or by both: ada@https://share.example.com.',
  ],
  json: ['{"id","username","server","active"} for each account; "id" is that of the account.'],
  examples: [
    { words: 'accounts', does: 'all of them' },
    { words: 'accounts ada', does: 'uses ada for new items' },
  ],
  connects: 'by itself',
  run: ({ words: [name] }, context, signal) =>
    withEngine(context, name === undefined ? 'none' : 'stored', signal, async (client) => {
      const { report } = context;
      if (name !== undefined) {
        const wanted = accountOf(client.state(), name);
        if (!wanted.ok) return wanted;
        const activated = await client.call('connection.activate', { id: wanted.value.id });
        if (!activated.ok) return activated;
      }
      const now = await client.call('app.state', {});
      if (!now.ok) return now;
      if (now.value.accounts.length === 0) report.note('No account is connected; linkshot connect URL adds one.');
      print(report, now.value.accounts);
      return DONE;
    }),
});

const userOf = ({ connection }: ConnectedAccount) => connection.account?.user ?? null;
const namesOf = (account: ConnectedAccount): readonly string[] => {
  const { server } = account.connection;
  const username = userOf(account)?.username;
  return [server, ...(username === undefined ? [] : [username, `${username}@${server}`])];
};

const accountOf = ({ accounts: all }: AppState, name: string): Result<ConnectedAccount> => {
  const found = all.filter((account) => namesOf(account).includes(name));
  const [only] = found;
  if (only && found.length === 1) return ok(only);
  const detail = only
    ? `${formatCount(found.length, 'account')} match this name. Specify one as NAME@ADDRESS; linkshot accounts shows them.`
    : 'No connected account has this name. linkshot accounts shows them.';
  return err(failure('COMMAND_INVALID', detail));
};

const print = (report: Report, all: readonly ConnectedAccount[]): void => {
  const { style } = report;
  const lines = columns(
    all.map((account) => [
      account.isActive ? style.good('*') : ' ',
      style.bold(printable(userOf(account)?.username ?? '?')),
      account.connection.server,
    ]),
  );
  for (const [index, account] of all.entries()) {
    const user = userOf(account);
    const { server } = account.connection;
    report.say(
      { id: user?.id ?? null, username: user?.username ?? null, server, active: account.isActive },
      lines[index] ?? null,
    );
  }
};

/** `linkshot whoami`: shows the active account, freshly read from the service. */
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
          return err(failure('SERVER_UNREACHABLE', 'The service did not respond.'));
        default:
          return err(failure('NOT_CONNECTED', 'Not connected to a service.'));
      }
    }),
});
