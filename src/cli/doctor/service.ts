/** Checks the service: reachable, the right API, the same time, and the key accepted. */

import { SCOPES } from '../../api/account.ts';
import type { Failure } from '../../api/errors.ts';
import type { Connection } from '../../ipc/protocol/state.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { sentenceOf } from '../messages.ts';
import { formatBytes, formatDuration, formatTime } from '../output/format.ts';
import { type Check, fail, pass, warn } from './check.ts';

const PATIENCE_MS = 10_000;
/** Half a request and a second of rounding are not clock skew. */
const SKEW_MS = 60_000;
/** Certificates and expiring links fail beyond this. */
const BAD_SKEW_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const KEY_ENDS_SOON_MS = 14 * DAY_MS;

const CONNECT = 'Run linkshot connect URL; or set LINKSHOT_SERVER and LINKSHOT_KEY.';

/** Sends a request without a key: an API error proves that it is the service. Two checks: service, clock. */
export const checkService = async (server: string | undefined, signal: AbortSignal): Promise<readonly Check[]> => {
  if (server === undefined) return [warn('service', 'No service is connected.', CONNECT)];
  const sentAt = Date.now();
  let reply: Response;
  try {
    const url = new URL('api/v1/account', server.endsWith('/') ? server : `${server}/`);
    const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    reply = await fetch(url, { redirect: 'manual', signal: either });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
    const why = cause?.code ?? cause?.message ?? message;
    return [fail('service', `${server} cannot be reached (${why}).`, 'Check the address, the network and the proxy.')];
  }
  const tookMs = Date.now() - sentAt;
  const isService = reply.status === 401 && (reply.headers.get('content-type') ?? '').includes('json');
  const date = Date.parse(reply.headers.get('date') ?? '');
  await reply.body?.cancel();
  if (!isService)
    return [
      fail(
        'service',
        `${server} is not a file sharing service (status ${reply.status}).`,
        'Check the address; perhaps a sign-in page of the network responded.',
      ),
    ];
  return [pass('service', `${server} speaks version 1 of the API, in ${tookMs} ms`), checkClock(date, sentAt, tookMs)];
};

const checkClock = (date: number, sentAt: number, tookMs: number): Check => {
  if (Number.isNaN(date)) return warn('clock', 'The service does not send its time.', 'The clock cannot be checked.');
  const skew = sentAt + tookMs / 2 - date;
  const words = `This computer is ${formatDuration(Math.abs(skew) / 1000)} ${skew > 0 ? 'ahead of' : 'behind'} the service.`;
  if (Math.abs(skew) > BAD_SKEW_MS)
    return fail('clock', words, 'Set the clock: connections and expiring links depend on it.');
  if (Math.abs(skew) > SKEW_MS) return warn('clock', words, 'Let the system set the clock from the network.');
  return pass('clock', 'The clock matches that of the service.');
};

export const failedAccountCheck = (refused: Failure): Check => fail('account', sentenceOf(refused, 'nothing'), CONNECT);

export const checkAccount = async (client: EngineClient): Promise<Check> => {
  const refreshed = await client.call('connection.refresh', {});
  if (!refreshed.ok) return failedAccountCheck(refreshed.error);
  const { value: connection } = refreshed;
  if (connection.state === 'none') return warn('account', 'No account is connected.', CONNECT);
  if (connection.state === 'failed') return failedAccountCheck(connection.failure);
  if (connection.state === 'connecting') return fail('account', 'The service has not responded.', 'Try again.');
  return judgeAccount(connection);
};

const judgeAccount = ({ account }: Extract<Connection, { state: 'connected' }>): Check => {
  const { user, credential } = account;
  const words = `${user.username}, ${formatBytes(user.storageUsed)} of ${formatBytes(user.quotaBytes)} used`;
  if (user.storageUsed >= user.quotaBytes) return warn('account', words, 'Delete something, or choose a larger plan.');
  const missing = credential ? SCOPES.filter((scope) => !credential.scopes.includes(scope)) : [];
  if (missing.length > 0)
    return warn('account', `${words}; the key lacks ${missing.join(', ')}`, 'Create a key with all permissions.');
  const endsAt = credential?.expiresAt ? Date.parse(credential.expiresAt) : Number.POSITIVE_INFINITY;
  if (endsAt - Date.now() < KEY_ENDS_SOON_MS)
    return warn(
      'account',
      `${words}; the key expires ${formatTime(new Date(endsAt))}`,
      'Run linkshot connect for a new one.',
    );
  return pass('account', words);
};
