/**
 * `linkshot connect` stores the key of a service in the system's key store, after an approval in the browser or with a
 * given key. `linkshot disconnect` removes that key.
 */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { Connection } from '../../ipc/protocol/app-state.ts';
import type { EngineClient, ServerAndKey } from '../client/engine-client.ts';
import { DONE, withEngine } from '../client/with-engine.ts';
import type { CommandContext } from '../command-context.ts';
import { command, flag } from '../command-definition.ts';
import { accountLine } from '../output/account.ts';
import type { Report } from '../output/command-output.ts';

const NO_KEY_STORE =
  'This computer has no key store, and keys are never written to a file. Create a key on the account page of the service and set LINKSHOT_SERVER and LINKSHOT_KEY instead.';

const noKeyStore = () => err(failure('KEY_STORE_FAILED', NO_KEY_STORE, { params: { place: 'session' } }));

/** `linkshot connect`: stores a key of this service in the key store, approved in the browser or given. */
export const connect = command({
  name: 'connect',
  summary: 'connect to a service, in the browser or with a key',
  group: 'Service',
  arguments: [
    {
      name: 'URL',
      summary: 'its address; by default that of --server, or of the last connection',
      count: 'at most one',
      isServer: true,
    },
  ],
  options: {
    'no-browser': flag('only show the code, which you can enter on any device'),
  },
  description: [
    'Opens the page of the service where you approve this device, and shows a code for approving it on another device. With a key (LINKSHOT_KEY, or --key - to be prompted for it) no approval is needed. If LINKSHOT_SERVER is set, LINKSHOT_KEY is stored for that service only; other commands use it for the one that --server names.',
    'The key is stored in the key store of the operating system, never in a file.',
  ],
  json: [
    '{"userCode","address","expiresAt"} while it waits for you, then {"server","id","username","plan","keyPlace"}; "id" is that of the account.',
  ],
  examples: [
    { words: 'connect https://share.example.com', does: 'approve in the browser' },
    { words: 'connect https://share.example.com --key -', does: 'prompts for a key' },
  ],
  connects: 'by itself',
  run: ({ words: [url], options }, context, signal) =>
    withEngine(context, 'stored', signal, async (client) => {
      const { report, server: named, key } = context;
      const { connection: before } = client.state();
      const server = url ?? named ?? (before.state === 'none' ? undefined : before.server);
      if (server === undefined) {
        report.usageError(
          failure('COMMAND_INVALID', 'Specify the service: linkshot connect https://share.example.com'),
        );
        return DONE;
      }
      const keepsKeys = client.keyStore() !== 'session';
      if (key === undefined && !keepsKeys) return noKeyStore();
      const connected =
        key === undefined
          ? await approved(client, server, options['no-browser'] ? 'nothing' : 'browser', context, signal)
          : keepsKeys
            ? await client.call('connection.connect', { server, key })
            : await tried(client, { server, key }, signal);
      if (!connected.ok) return connected;
      const { value: connection } = connected;
      if (connection.state !== 'connected') return err(notConnected(connection));
      const line = accountLine(connection);
      report.say(line, `Connected to ${connection.server} as ${report.style.bold(connection.account.user.username)}.`);
      return connection.keyPlace === 'session' && client.kind() === 'here' ? noKeyStore() : DONE;
    }),
});

const notConnected = (connection: Connection) =>
  connection.state === 'failed' ? connection.failure : failure('NOT_CONNECTED', 'Not connected to a service.');

/** Says what is wrong with the address or the key; an account whose key cannot be kept does not stay in the profile. */
const tried = async (client: EngineClient, contact: ServerAndKey, signal: AbortSignal): Promise<Result<Connection>> => {
  const connected = await client.connect(contact, signal);
  return connected.ok ? ok(client.state().connection) : connected;
};

/** Shows the code, and waits for the decision. Ctrl+C cancels the request. */
const approved = async (
  client: EngineClient,
  server: string,
  open: 'browser' | 'nothing',
  { report }: CommandContext,
  signal: AbortSignal,
): Promise<Result<Connection>> => {
  const unfollow = onAbort(signal, () => void client.call('connection.cancelAuthorize', {}));
  try {
    return await requestApproval(client, server, open, report);
  } finally {
    unfollow();
  }
};

const requestApproval = async (
  client: EngineClient,
  server: string,
  open: 'browser' | 'nothing',
  report: Report,
): Promise<Result<Connection>> => {
  const requested = await client.call('connection.authorize', { server, open });
  if (!requested.ok) return requested;
  if (requested.value.state === 'failed') return err(requested.value.failure);
  const { userCode, address, expiresAt, browser } = requested.value;
  report.say({ userCode, address, expiresAt: new Date(expiresAt).toISOString() }, null);
  report.note(
    browser === 'opened'
      ? `Approve the connection in your browser, or type ${report.style.bold(userCode)} at ${address}`
      : `Type ${report.style.bold(userCode)} at ${address}`,
  );
  return client.call('connection.authorized', {});
};

/** `linkshot disconnect`: removes the key of the active account. */
export const disconnect = command({
  name: 'disconnect',
  summary: 'remove the key of the service',
  group: 'Service',
  arguments: [],
  options: {
    'leave-key': flag('also where the key store cannot delete the key; revoke it on the account page of the service'),
  },
  description: ['Items in the queue wait until the account is connected again.'],
  json: [
    '{"disconnected"}: the address of the service; with "keyMayBeLeft": true where a key may still be in a key store that cannot be used now.',
  ],
  examples: [{ words: 'disconnect', does: 'removes the key' }],
  connects: 'by itself',
  run: ({ options }, context, signal) =>
    withEngine(context, 'stored', signal, async (client) => {
      const { connection } = client.state();
      if (connection.state === 'none') return err(failure('NOT_CONNECTED', 'Not connected to a service.'));
      const done = await client.call('connection.disconnect', {
        ifKeyStays: options['leave-key'] ? 'remove' : 'refuse',
      });
      if (!done.ok) return done;
      const after = await client.call('app.state', {});
      const isLeft = after.ok && after.value.notices.some(({ params }) => params?.['keyLeftFor'] === connection.server);
      if (isLeft)
        context.report.note(
          `A key for ${connection.server} may be left in a key store that cannot be used now. Revoke it on the account page of the service.`,
        );
      context.report.say(
        { disconnected: connection.server, ...(isLeft && { keyMayBeLeft: true }) },
        `Disconnected from ${connection.server}.`,
      );
      return DONE;
    }),
});
