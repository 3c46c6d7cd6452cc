/**
 * Authorization codes for connecting an app on the same device (API decisions 4; RFC 8252 with PKCE, RFC 7636): valid
 * for two minutes, single use, bound to the approved redirect address and to a secret that only the app knows. A failed
 * attempt invalidates the code.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Device } from '../accounts/keys.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem.ts';

const CODE_BYTES = 32;

interface CodeRow extends Device {
  readonly accountId: AccountId;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
}

export interface Approval {
  readonly accountId: AccountId;
  readonly device: Device;
  /** `code_challenge`, of the method S256. */
  readonly challenge: string;
  readonly redirectUri: string;
}

export type Codes = ReturnType<typeof createAuthorizationCodes>;

export const createAuthorizationCodes = ({
  database,
  clock,
  random,
}: Pick<ServerDeps, 'database' | 'clock' | 'random'>) => {
  const insert = database.prepare<CodeRow & { hash: Buffer }>(
    `INSERT INTO connectCodes (hash, accountId, challenge, redirectUri, deviceName, deviceId, client, expiresAt)
     VALUES (@hash, @accountId, @challenge, @redirectUri, @deviceName, @deviceId, @client, @expiresAt)`,
  );
  const redeemCode = database.prepare<[Buffer], CodeRow>(
    `DELETE FROM connectCodes WHERE hash = ?
     RETURNING accountId, challenge, redirectUri, deviceName, deviceId, client, expiresAt`,
  );
  const removeEnded = database.prepare<[number]>('DELETE FROM connectCodes WHERE expiresAt <= ?');

  return {
    /** The code that the browser passes to the app. */
    approve: ({ accountId, device, challenge, redirectUri }: Approval): string => {
      const code = random.bytes(CODE_BYTES).toString('base64url');
      const expiresAt = clock.now() + LIMITS.connectCodeMs;
      insert.run({ hash: sha256(code), accountId, challenge, redirectUri, expiresAt, ...device });
      return code;
    },
    /**
     * The account and its approved device. Throws EXPIRED_TOKEN (unknown, used or too old) and ACCESS_DENIED (not the
     * same app).
     */
    redeem: (code: string, codeVerifier: string, redirectUri: string): { accountId: AccountId; device: Device } => {
      const row = redeemCode.get(sha256(code));
      if (row === undefined || row.expiresAt <= clock.now()) {
        throw new ProblemError('EXPIRED_TOKEN', 'This code is unknown, was used or has expired; connect again.');
      }
      const proof = Buffer.from(sha256(codeVerifier).toString('base64url'));
      const challenge = Buffer.from(row.challenge);
      const isSameApp = proof.length === challenge.length && timingSafeEqual(proof, challenge);
      if (!isSameApp || redirectUri !== row.redirectUri) {
        throw new ProblemError('ACCESS_DENIED', 'The code was made for another app or address; connect again.');
      }
      const { accountId, deviceId, deviceName, client } = row;
      return { accountId, device: { deviceId, deviceName, client } };
    },
    sweep: (): void => {
      removeEnded.run(clock.now());
    },
  };
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
