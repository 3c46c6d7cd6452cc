/**
 * Connects a device by a code that the user types on another device (API decisions 4; RFC 8628). A request waits 15
 * minutes for approval, must not be polled faster than its interval, and returns its approval once.
 */
import { createHash } from 'node:crypto';
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { isDue } from '../../base/common/wall-clock.ts';
import { accountStore, type SeenAccount } from '../accounts/accounts.ts';
import type { Device } from '../accounts/api-keys.ts';
import type { Random } from '../clock-and-random.ts';
import type { Transaction } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem-details.ts';
import type { UseApproval } from './device-keys.ts';

const CODE_BYTES = 32;
/** No vowels, so no words; no letters that look like digits or each other (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;
/** Tolerated earliness of a poll, for network jitter. */
const POLL_SLACK_MS = 500;

interface RequestRow extends Device {
  readonly hash: Buffer;
  readonly userCode: string;
  /** The address of the device, shown to the user. */
  readonly ip: string;
  readonly state: 'pending' | 'approved' | 'denied';
  readonly accountId: AccountId | null;
  readonly intervalMs: number;
  readonly polledAt: number | null;
  readonly expiresAt: number;
}

/** What the approving user sees. */
export type PendingDevice = Pick<RequestRow, 'userCode' | 'deviceName' | 'client' | 'ip'>;

export interface StartedRequest {
  readonly deviceCode: string;
  readonly userCode: string;
}

export type DeviceRequests = ReturnType<typeof createDeviceRequests>;

export const createDeviceRequests = ({
  records,
  // The polls of a device may come to different nodes, whose own clocks differ by more than the slack.
  sharedClock: clock,
  random,
}: Pick<ServerDeps, 'records' | 'sharedClock' | 'random'>) => {
  /** The outcome of a poll; a refusal is returned, not thrown, so that its changes are committed. */
  const look = async <T>(tx: Transaction, deviceCode: string, use: UseApproval<T>): Promise<T | ProblemError> => {
    const now = clock.now();
    // Whoever ends the requests of an account has locked it first; in another order the two could wait for each other.
    const known = await tx.get<{ accountId: AccountId | null }>(
      sql`SELECT "accountId" FROM "deviceRequests" WHERE "hash" = ${sha256(deviceCode)}`,
    );
    const seen = known?.accountId ?? null;
    const locked = seen === null ? undefined : await accountStore(tx).lock(seen);
    const row = await tx.get<RequestRow>(
      sql`SELECT * FROM "deviceRequests" WHERE "hash" = ${sha256(deviceCode)} ${tx.dialect.forUpdate}`,
    );
    if (row === undefined || row.expiresAt <= now) {
      return new ProblemError('EXPIRED_TOKEN', 'This code has expired or was used; start the connection again.');
    }
    const setPolled = (intervalMs: number) =>
      tx.run(
        sql`UPDATE "deviceRequests" SET "polledAt" = ${now}, "intervalMs" = ${intervalMs} WHERE "hash" = ${row.hash}`,
      );
    if (row.polledAt !== null && !isDue(row.polledAt + row.intervalMs - POLL_SLACK_MS, now, row.intervalMs)) {
      const intervalMs = row.intervalMs + LIMITS.devicePollMs;
      await setPolled(intervalMs);
      return new ProblemError('SLOW_DOWN', `Wait ${intervalMs / 1_000} s between polls.`, {
        params: { interval: intervalMs / 1_000 },
        retryAfterMs: intervalMs,
      });
    }
    await setPolled(row.intervalMs);
    switch (row.state) {
      case 'pending':
        return new ProblemError('AUTHORIZATION_PENDING', 'Nobody has typed the code and approved yet; ask again.', {
          params: { interval: row.intervalMs / 1_000 },
          retryAfterMs: row.intervalMs,
        });
      case 'denied':
        return new ProblemError('ACCESS_DENIED', 'The connection was refused.');
      case 'approved': {
        const { accountId, deviceId, deviceName, client } = row;
        if (accountId === null) throw new Error('An approved request has no account.');
        const account = locked?.id === accountId ? locked : await accountStore(tx).lock(accountId);
        if (account === undefined) throw new Error(`The account ${accountId} has lost its row.`);
        await tx.run(sql`DELETE FROM "deviceRequests" WHERE "hash" = ${row.hash}`);
        return await use(tx, { account, device: { deviceId, deviceName, client } });
      }
      default:
        return unreachable(row.state);
    }
  };

  return {
    start: async ({ deviceName, deviceId, client }: Device, ip: string): Promise<StartedRequest> => {
      const deviceCode = random.bytes(CODE_BYTES).toString('base64url');
      const expiresAt = clock.now() + LIMITS.deviceCodeMs;
      for (;;) {
        const userCode = userCodeOf(random);
        const added = await records.run(
          sql`INSERT INTO "deviceRequests"
              ("hash", "userCode", "deviceName", "deviceId", "client", "ip", "state", "intervalMs", "expiresAt")
            VALUES (${sha256(deviceCode)}, ${userCode}, ${deviceName}, ${deviceId}, ${client}, ${ip}, 'pending',
              ${LIMITS.devicePollMs}, ${expiresAt})
            ON CONFLICT ("userCode") DO NOTHING`,
        );
        if (added > 0) return { deviceCode, userCode };
      }
    },
    /** The pending request of a typed code; undefined if there is none. */
    find: (typed: string): Promise<PendingDevice | undefined> =>
      records.get<PendingDevice>(
        sql`SELECT "userCode", "deviceName", "client", "ip" FROM "deviceRequests"
          WHERE "userCode" = ${normalizeUserCode(typed)} AND "state" = 'pending' AND "expiresAt" > ${clock.now()}`,
      ),
    /**
     * `ended`: the request has ended meanwhile; `overtaken`: the password of `account` was changed since it was read, or the
     * account was banned. A second click repeats the same decision.
     */
    decide: (
      typed: string,
      state: 'approved' | 'denied',
      account: SeenAccount,
    ): Promise<'decided' | 'ended' | 'overtaken'> =>
      records.transaction(async (tx) => {
        if ((await accountStore(tx).lockAsSeen(account)) === undefined) return 'overtaken';
        const decided = await tx.run(
          sql`UPDATE "deviceRequests" SET "state" = ${state}, "accountId" = ${account.id}
            WHERE "userCode" = ${normalizeUserCode(typed)} AND "expiresAt" > ${clock.now()}
              AND ("state" = 'pending' OR ("state" = ${state} AND "accountId" = ${account.id}))`,
        );
        return decided > 0 ? 'decided' : 'ended';
      }),
    /**
     * Uses an approval once, in the transaction that ends the request. Rejects with AUTHORIZATION_PENDING, SLOW_DOWN,
     * ACCESS_DENIED, EXPIRED_TOKEN, and the refusal of `use`.
     */
    poll: async <T>(deviceCode: string, use: UseApproval<T>): Promise<T> => {
      const outcome = await records.transaction((tx) => look(tx, deviceCode, use));
      if (outcome instanceof ProblemError) throw outcome;
      return outcome;
    },
    sweep: async (): Promise<void> => {
      await records.run(sql`DELETE FROM "deviceRequests" WHERE "expiresAt" <= ${clock.now()}`);
    },
  };
};

/** As displayed: two groups of four. */
export const spellUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

const normalizeUserCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

const userCodeOf = (random: Random): string => {
  let code = '';
  while (code.length < USER_CODE_LENGTH) {
    for (const byte of random.bytes(USER_CODE_LENGTH)) {
      // Bytes above the last whole multiple would favour the first letters.
      const isFair = byte < 256 - (256 % LETTERS.length);
      if (isFair && code.length < USER_CODE_LENGTH) code += LETTERS[byte % LETTERS.length];
    }
  }
  return code;
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
