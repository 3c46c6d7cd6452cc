/**
 * Mutual authentication on the instance socket: each side proves that it can read the private file of the profile
 * (`instance-file.ts`) before the first command is sent. A proof covers the fresh nonces of both sides and the role, so
 * a recorded or reflected one is worthless. A proof does not detect a program that relays between both sides; the
 * private address of the socket (`private-socket.ts`) keeps other users from running one. Also proves that a caller has
 * the same API key as the running instance, without sending the key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** More than the two lines of a proof; an unauthenticated peer may not send more. */
const UNPROVEN_BYTES = 1_024;
/** Time limit for the proof. A busy process answers much earlier. */
const PROOF_MS = 10_000;

const freshNonce = (): string => randomBytes(32).toString('base64url');

const proofOf = (secret: string, role: 'owner' | 'caller', callerNonce: string, ownerNonce: string): string =>
  createHmac('sha256', secret).update(`linkshot-instance\n${role}\n${callerNonce}\n${ownerNonce}`).digest('base64url');

const isProof = (given: unknown, expected: string): boolean =>
  typeof given === 'string' &&
  given.length === expected.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(expected));

const fieldsOf = (line: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** A connection whose lines go to the proof first, and to `take` once it has succeeded. */
interface Proving {
  /** Calls `take` with every line from now on. */
  proven(take: (line: string) => void): void;
}

const readLines = (socket: Socket, prove: (line: string) => void): Proving => {
  let take = prove;
  let unproven = 0;
  const count = (chunk: Buffer): void => {
    unproven += chunk.byteLength;
    if (unproven > UNPROVEN_BYTES) socket.destroy();
  };
  const late = setTimeout(() => socket.destroy(), PROOF_MS);
  // The other side may disconnect at any time; `close` reports it.
  socket.on('error', () => {});
  socket.on('close', () => clearTimeout(late));
  socket.on('data', count);
  createInterface({ input: socket })
    .on('line', (line) => take(line))
    .on('error', () => {});
  return {
    proven(next) {
      clearTimeout(late);
      socket.off('data', count);
      take = next;
    },
  };
};

/**
 * The owner's side of the proof. `welcome` returns the reader of the lines that follow; a caller without the proof is
 * disconnected.
 */
export const proveAsOwner = (socket: Socket, secret: string, welcome: () => (line: string) => void): void => {
  const nonce = freshNonce();
  let callerNonce: string | null = null;
  const lines = readLines(socket, (line) => {
    const { hello, proof } = fieldsOf(line);
    if (callerNonce === null && typeof hello === 'string') {
      callerNonce = hello;
      socket.write(`${JSON.stringify({ nonce, proof: proofOf(secret, 'owner', hello, nonce) })}\n`);
    } else if (callerNonce !== null && isProof(proof, proofOf(secret, 'caller', callerNonce, nonce))) {
      lines.proven(welcome());
    } else socket.destroy();
  });
};

/** The caller's side, on an open connection. A `wrong` peer does not know the secret, and is disconnected. */
export const proveAsCaller = (
  socket: Socket,
  secret: string,
  take: (line: string) => void,
): Promise<'proven' | 'wrong' | 'closed'> =>
  new Promise((answer) => {
    const own = freshNonce();
    socket.on('close', () => answer('closed'));
    const lines = readLines(socket, (line) => {
      const { nonce, proof } = fieldsOf(line);
      if (typeof nonce !== 'string' || !isProof(proof, proofOf(secret, 'owner', own, nonce))) {
        answer('wrong');
        socket.destroy();
        return;
      }
      lines.proven(take);
      socket.write(`${JSON.stringify({ proof: proofOf(secret, 'caller', own, nonce) })}\n`);
      answer('proven');
    });
    socket.write(`${JSON.stringify({ hello: own })}\n`);
  });

// Compares an API key with the one that the running instance uses, without sending the key.

/** Input of `connection.isSame`. */
interface KeyProof {
  readonly server: string;
  /** New for each question. */
  readonly nonce: string;
  readonly proof: string;
}

const keyProofOf = (key: string, server: string, nonce: string): string =>
  createHmac('sha256', key).update(`linkshot-key\n${server}\n${nonce}`).digest('base64url');

/** Keys have 256 random bits, so a proof cannot be brute-forced. */
export const proveKey = ({ server, key }: { readonly server: string; readonly key: string }): KeyProof => {
  const nonce = randomBytes(32).toString('base64url');
  return { server, nonce, proof: keyProofOf(key, server, nonce) };
};

export const isProvenKey = (key: string, { server, nonce, proof }: KeyProof): boolean => {
  const expected = Buffer.from(keyProofOf(key, server, nonce));
  const given = Buffer.from(proof);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
};
