/** Compares an API key with the one that the running instance uses, without sending the key. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Input of `connection.isSame`. */
interface KeyProof {
  readonly server: string;
  /** New for each question. */
  readonly nonce: string;
  readonly proof: string;
}

const proofOf = (key: string, server: string, nonce: string): string =>
  createHmac('sha256', key).update(`linkshot-key\n${server}\n${nonce}`).digest('base64url');

/** Keys have 256 random bits, so a proof cannot be brute-forced. */
export const proveKey = ({ server, key }: { readonly server: string; readonly key: string }): KeyProof => {
  const nonce = randomBytes(32).toString('base64url');
  return { server, nonce, proof: proofOf(key, server, nonce) };
};

export const isProvenKey = (key: string, { server, nonce, proof }: KeyProof): boolean => {
  const expected = Buffer.from(proofOf(key, server, nonce));
  const given = Buffer.from(proof);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
};
