/** Tells whether two completions asked for the same, without keeping a password in a form that could be guessed quickly. */
import { createHash, scrypt } from 'node:crypto';
import type { ShareFields } from '../../contract/content.ts';
import type { UploadId } from '../../contract/ids.ts';

/** Equal for equal fields: their order does not matter, nor does that of the tags, and a default equals an omission. */
export const completeDigest = (id: UploadId, fields: ShareFields): Promise<string> => {
  const { password = '', ...open } = fields;
  const canonical = JSON.stringify([
    (open.title ?? '').trim(),
    [...new Set((open.tags ?? []).map(plainTag))].sort(),
    open.visibility ?? null,
    open.ttl ?? 'forever',
    open.oneTime ?? false,
    password,
  ]);
  if (password === '') return Promise.resolve(createHash('sha256').update(canonical).digest('base64url'));
  return new Promise((resolve, reject) => {
    scrypt(canonical, id, 32, (error, digest) => (error === null ? resolve(digest.toString('base64url')) : reject(error)));
  });
};

const plainTag = (tag: string): string => tag.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
