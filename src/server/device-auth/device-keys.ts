/**
 * Creates and renews the API keys of connected devices (API decisions 4). A key is created after a user has approved
 * the device, is valid for 365 days, and can be renewed in its last 30 days.
 */

import type { ConnectedDevice, RenewedKey } from '../../api/device-auth.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { type AccountReplies, credentialOf } from '../accounts/account-reply.ts';
import { type AccountRow, accountStore } from '../accounts/accounts.ts';
import { createApiKeys, type Device, type NewKey, scopesOf } from '../accounts/api-keys.ts';
import { type KeyHolder, requireValidKey } from '../accounts/authenticate.ts';
import type { Transaction } from '../database/database-interface.ts';
import type { ServerDeps } from '../deps.ts';
import type { TrialNetwork } from '../limits/address-networks.ts';
import { invalidInput, ProblemError } from '../problem-details.ts';
import { keyNameOf } from './device-details.ts';
import { CONNECTION_SCOPES } from './loopback-authorization-request.ts';

/** A device that the user of `account` has approved; the account is locked. */
export interface Approved {
  readonly account: AccountRow;
  readonly device: Device;
}

/**
 * Uses an approval in the transaction that ends it, so that a change of the password comes before both or after both. A
 * refusal is returned, not thrown, so that the approval is used up nevertheless.
 */
export type UseApproval<T> = (tx: Transaction, approved: Approved) => Promise<T | ProblemError>;

interface NewConnection {
  readonly issued: RenewedKey;
  readonly account: AccountRow;
}

export type DeviceKeys = ReturnType<typeof createDeviceKeys>;

export const createDeviceKeys = (deps: Pick<ServerDeps, 'records' | 'clock' | 'random'>, answers: AccountReplies) => {
  const keys = createApiKeys(deps);

  const issue = async (
    tx: Transaction,
    accountId: AccountId,
    device: Device,
    key: Pick<NewKey, 'name' | 'scopes' | 'renews'>,
  ): Promise<RenewedKey> => {
    const expiresAt = deps.clock.now() + LIMITS.connectionKeyMs;
    const { id, apiKey } = await keys.add({ accountId, device, expiresAt, ...key }, tx);
    const row = await keys.byId(id, tx);
    if (row === undefined) throw new Error(`The key ${id} was not stored.`);
    return { apiKey, credential: credentialOf(row) };
  };

  return {
    /**
     * Creates the key of a device that was approved, in the transaction that has locked the account and used up the
     * approval. ACCESS_DENIED when the account was banned meanwhile. Older keys of the device work until this one is first
     * used. Of more than `LIMITS.deviceKeysMax` keys the oldest ends, or one that was never used.
     */
    connect: async (tx: Transaction, { account, device }: Approved): Promise<NewConnection | ProblemError> => {
      if (account.bannedAt !== null) {
        return new ProblemError(
          'ACCESS_DENIED',
          'This account cannot connect devices; ask the operator of the service.',
        );
      }
      const issued = await issue(tx, account.id, device, { name: keyNameOf(device), scopes: CONNECTION_SCOPES });
      return { issued, account };
    },
    /** The answer to the device, after the transaction. */
    present: async ({ issued, account }: NewConnection, from: TrialNetwork): Promise<ConnectedDevice> => ({
      ...issued,
      account: await answers.account(account, from),
    }),
    /**
     * Rejects with RENEW_TOO_EARLY with `params.renewFrom`, INVALID_INPUT for a key that was not created by a connection,
     * and as a request with the key when that has ended meanwhile.
     */
    renew: async ({ account: { id: accountId }, key }: Pick<KeyHolder, 'account' | 'key'>): Promise<RenewedKey> => {
      const { deviceId, deviceName, expiresAt, client, name } = key;
      if (deviceId === null || deviceName === null || expiresAt === null) {
        throw invalidInput({
          path: '',
          message: 'has a key that no connection made; make a new one on the account page',
        });
      }
      const renewFrom = expiresAt - LIMITS.renewWindowMs;
      if (deps.clock.now() < renewFrom) {
        throw new ProblemError('RENEW_TOO_EARLY', 'This key can only be renewed in the 30 days before it expires.', {
          params: { renewFrom: new Date(renewFrom).toISOString() },
        });
      }
      return await deps.records.transaction(async (tx) => {
        const account = await accountStore(tx).lock(accountId);
        const locked = await keys.lock(key.id, tx);
        if (account === undefined || locked === undefined) throw new Error(`The key ${key.id} has lost its row.`);
        requireValidKey({ key: locked, account }, deps.clock.now());
        const device = { deviceId, deviceName, client };
        return await issue(tx, accountId, device, { name, scopes: scopesOf(key), renews: key.id });
      });
    },
  };
};
