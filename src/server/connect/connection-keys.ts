/**
 * Creates and renews the API keys of connected devices (API decisions 4): issued when a user has approved the device,
 * valid for 365 days, renewable in the last 30.
 */

import type { ConnectedDevice, RenewedKey } from '../../api/device-auth.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { type AccountReplies, credentialOf } from '../accounts/account-reply.ts';
import { createAccounts } from '../accounts/accounts.ts';
import type { KeyHolder } from '../accounts/authenticate.ts';
import { createKeys, type Device, scopesOf } from '../accounts/keys.ts';
import type { ServerDeps } from '../deps.ts';
import type { TrialNetwork } from '../limits/network.ts';
import { invalidInput, ProblemError } from '../problem.ts';
import { CONNECTION_SCOPES, keyNameOf } from './connection-request.ts';

export type Connections = ReturnType<typeof createConnections>;

export const createConnections = (deps: Pick<ServerDeps, 'database' | 'clock' | 'random'>, answers: AccountReplies) => {
  const accounts = createAccounts(deps);
  const keys = createKeys(deps);

  const issue = (accountId: AccountId, device: Device, key: { name: string; scopes: typeof CONNECTION_SCOPES }) => {
    const expiresAt = deps.clock.now() + LIMITS.connectionKeyMs;
    const { id, apiKey } = keys.add({ accountId, device, expiresAt, ...key });
    const row = keys.byId(id);
    if (row === undefined) throw new Error(`The key ${id} was not stored.`);
    return { apiKey, credential: credentialOf(row) };
  };

  return {
    /**
     * Creates the key of a device that `accountId` has approved. Throws ACCESS_DENIED when the account was banned
     * meanwhile. Older keys of the device work until this one is first used.
     */
    connect: (accountId: AccountId, device: Device, from: TrialNetwork): ConnectedDevice => {
      const account = accounts.byId(accountId);
      if (account === undefined || account.bannedAt !== null) {
        throw new ProblemError(
          'ACCESS_DENIED',
          'This account cannot connect devices; ask the operator of the service.',
        );
      }
      const issued = issue(accountId, device, { name: keyNameOf(device), scopes: CONNECTION_SCOPES });
      return { ...issued, account: answers.account(account, from) };
    },
    /**
     * Throws RENEW_TOO_EARLY with `params.renewFrom`, and INVALID_INPUT for a key that was not created by a connection.
     */
    renew: ({ account, key }: KeyHolder): RenewedKey => {
      const { deviceId, deviceName, expiresAt, client, name } = key;
      if (deviceId === null || deviceName === null || expiresAt === null) {
        throw invalidInput({
          path: '',
          message: 'has a key that no connection made; make a new one on the account page',
        });
      }
      const renewFrom = expiresAt - LIMITS.renewWindowMs;
      if (deps.clock.now() < renewFrom) {
        throw new ProblemError('RENEW_TOO_EARLY', 'This key can be renewed within 30 days of its end.', {
          params: { renewFrom: new Date(renewFrom).toISOString() },
        });
      }
      return issue(account.id, { deviceId, deviceName, client }, { name, scopes: scopesOf(key) });
    },
  };
};
