/**
 * Connects a device by a code that the user types on another device (API decisions 4; RFC 8628): a request waits 15
 * minutes for approval, may be polled no faster than its interval, and returns its approval once.
 */
import { createHash } from 'node:crypto';
import { unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Device } from '../accounts/keys.ts';
import type { Random } from '../clock-and-random.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';

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
  database,
  clock,
  random,
}: Pick<ServerDeps, 'database' | 'clock' | 'random'>) => {
  const insert = database.prepare<Omit<RequestRow, 'state' | 'accountId' | 'polledAt'>>(
    `INSERT INTO deviceRequests (hash, userCode, deviceName, deviceId, client, ip, state, intervalMs, expiresAt)
     VALUES (@hash, @userCode, @deviceName, @deviceId, @client, @ip, 'pending', @intervalMs, @expiresAt)`,
  );
  const selectByHash = database.prepare<[Buffer], RequestRow>('SELECT * FROM deviceRequests WHERE hash = ?');
  const selectByCode = database.prepare<[string, number], PendingDevice>(
    `SELECT userCode, deviceName, client, ip FROM deviceRequests
     WHERE userCode = ? AND state = 'pending' AND expiresAt > ?`,
  );
  const isTaken = database.prepare<[string], unknown>('SELECT 1 FROM deviceRequests WHERE userCode = ?');
  const updatePolled = database.prepare<[number, number, Buffer]>(
    'UPDATE deviceRequests SET polledAt = ?, intervalMs = ? WHERE hash = ?',
  );
  // A second click repeats the same decision.
  const updateState = database.prepare<{
    state: RequestRow['state'];
    accountId: AccountId;
    userCode: string;
    now: number;
  }>(
    `UPDATE deviceRequests SET state = @state, accountId = @accountId WHERE userCode = @userCode AND expiresAt > @now
       AND (state = 'pending' OR (state = @state AND accountId = @accountId))`,
  );
  const remove = database.prepare<[Buffer]>('DELETE FROM deviceRequests WHERE hash = ?');
  const removeEnded = database.prepare<[number]>('DELETE FROM deviceRequests WHERE expiresAt <= ?');

  const newUserCode = (): string => {
    for (;;) {
      const code = userCodeOf(random);
      if (isTaken.get(code) === undefined) return code;
    }
  };

  /** The outcome of a poll; a refusal is returned, not thrown, so that its changes are committed. */
  const look = (deviceCode: string): { accountId: AccountId; device: Device } | ProblemError => {
    const now = clock.now();
    const row = selectByHash.get(sha256(deviceCode));
    if (row === undefined || row.expiresAt <= now) {
      return new ProblemError('EXPIRED_TOKEN', 'This code has expired or was used; start the connection again.');
    }
    if (row.polledAt !== null && now < row.polledAt + row.intervalMs - POLL_SLACK_MS) {
      const intervalMs = row.intervalMs + LIMITS.devicePollMs;
      updatePolled.run(now, intervalMs, row.hash);
      return new ProblemError('SLOW_DOWN', `Wait ${intervalMs / 1_000} s between polls.`, {
        params: { interval: intervalMs / 1_000 },
        retryAfterMs: intervalMs,
      });
    }
    updatePolled.run(now, row.intervalMs, row.hash);
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
        remove.run(row.hash);
        return { accountId, device: { deviceId, deviceName, client } };
      }
      default:
        return unreachable(row.state);
    }
  };
  const poll = database.transaction(look);

  return {
    start: (device: Device, ip: string): StartedRequest => {
      const deviceCode = random.bytes(CODE_BYTES).toString('base64url');
      const userCode = newUserCode();
      const expiresAt = clock.now() + LIMITS.deviceCodeMs;
      insert.run({ ...device, hash: sha256(deviceCode), userCode, ip, intervalMs: LIMITS.devicePollMs, expiresAt });
      return { deviceCode, userCode };
    },
    /** The pending request of a typed code; undefined if there is none. */
    find: (typed: string): PendingDevice | undefined => selectByCode.get(normalizeUserCode(typed), clock.now()),
    /** False: the request has ended meanwhile. */
    decide: (typed: string, state: 'approved' | 'denied', accountId: AccountId): boolean =>
      updateState.run({ state, accountId, userCode: normalizeUserCode(typed), now: clock.now() }).changes > 0,
    /** Throws AUTHORIZATION_PENDING, SLOW_DOWN, ACCESS_DENIED, EXPIRED_TOKEN; returns an approval once. */
    poll: (deviceCode: string): { accountId: AccountId; device: Device } => {
      const outcome = poll.immediate(deviceCode);
      if (outcome instanceof ProblemError) throw outcome;
      return outcome;
    },
    sweep: (): void => {
      removeEnded.run(clock.now());
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
