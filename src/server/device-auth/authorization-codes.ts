/**
 * Creates and redeems the authorization codes that connect an app on the same device (API decisions 4; RFC 8252 with
 * PKCE, RFC 7636). A code is valid for two minutes and can be used once. Only the app that knows the code's verifier
 * can redeem it, and only with the approved redirect address; a failed attempt invalidates the code.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import { accountStore, type SeenAccount } from '../accounts/accounts.ts';
import type { Device } from '../accounts/api-keys.ts';
import { sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { ProblemError } from '../problem-details.ts';
import type { UseApproval } from './device-keys.ts';

const CODE_BYTES = 32;

interface CodeRow extends Device {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
}

export interface Approval {
  /** As read when the user was identified. */
  readonly account: SeenAccount;
  readonly device: Device;
  /** `code_challenge`, of the method S256. */
  readonly challenge: string;
  readonly redirectUri: string;
}

interface Redemption {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export type AuthorizationCodes = ReturnType<typeof createAuthorizationCodes>;

export const createAuthorizationCodes = ({
  records,
  clock,
  random,
}: Pick<ServerDeps, 'records' | 'clock' | 'random'>) => ({
  /**
   * The code that the browser passes to the app. Null: the password of `account` was changed since it was read, or the
   * account was banned.
   */
  approve: ({ account, device, challenge, redirectUri }: Approval): Promise<string | null> =>
    records.transaction(async (tx) => {
      if ((await accountStore(tx).lockAsSeen(account)) === undefined) return null;
      const code = random.bytes(CODE_BYTES).toString('base64url');
      const { deviceName, deviceId, client } = device;
      await tx.run(
        sql`INSERT INTO "connectCodes"
            ("hash", "accountId", "challenge", "redirectUri", "deviceName", "deviceId", "client", "expiresAt")
          VALUES (${sha256(code)}, ${account.id}, ${challenge}, ${redirectUri}, ${deviceName}, ${deviceId}, ${client},
            ${clock.now() + LIMITS.connectCodeMs})`,
      );
      return code;
    }),
  /**
   * Uses the code and, in the same transaction, what it approved. Rejects with EXPIRED_TOKEN (unknown, used or too old),
   * ACCESS_DENIED (not the same app), and the refusal of `use`.
   */
  redeem: async <T>({ code, codeVerifier, redirectUri }: Redemption, use: UseApproval<T>): Promise<T> => {
    const outcome = await records.transaction(async (tx): Promise<T | ProblemError> => {
      const expired = new ProblemError(
        'EXPIRED_TOKEN',
        'This code is unknown, was used or has expired; connect again.',
      );
      // Whoever ends the codes of an account has locked it first; in another order the two could wait for each other.
      const known = await tx.get<{ accountId: AccountId }>(
        sql`SELECT "accountId" FROM "connectCodes" WHERE "hash" = ${sha256(code)}`,
      );
      const account = known && (await accountStore(tx).lock(known.accountId));
      const row = await tx.get<CodeRow>(
        sql`DELETE FROM "connectCodes" WHERE "hash" = ${sha256(code)}
          RETURNING "challenge", "redirectUri", "deviceName", "deviceId", "client", "expiresAt"`,
      );
      if (account === undefined || row === undefined || row.expiresAt <= clock.now()) return expired;
      const proof = Buffer.from(sha256(codeVerifier).toString('base64url'));
      const challenge = Buffer.from(row.challenge);
      const isSameApp = proof.length === challenge.length && timingSafeEqual(proof, challenge);
      if (!isSameApp || redirectUri !== row.redirectUri) {
        return new ProblemError('ACCESS_DENIED', 'The code was made for another app or address; connect again.');
      }
      const { deviceId, deviceName, client } = row;
      return await use(tx, { account, device: { deviceId, deviceName, client } });
    });
    if (outcome instanceof ProblemError) throw outcome;
    return outcome;
  },
  sweep: async (): Promise<void> => {
    await records.run(sql`DELETE FROM "connectCodes" WHERE "expiresAt" <= ${clock.now()}`);
  },
});

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
