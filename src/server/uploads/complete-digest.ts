/**
 * Detects whether two completions request the same, without storing a password in a form that could be guessed quickly.
 */
import { createHash, scrypt } from 'node:crypto';
import type { ShareFields } from '../../api/content.ts';
import { oneTimeNotPublic } from '../content/publish-item.ts';
import { checkPassword, checkTags, checkTitle } from '../content/share-fields.ts';

/**
 * Equal for equal fields in their stored form: their order and that of the tags are irrelevant, and a default equals an
 * omission. `salt` is the upload's own. Throws INVALID_INPUT and ONE_TIME_NOT_PUBLIC for invalid fields, so that these
 * errors come before any about the bytes.
 */
export const completeDigest = async (salt: string, fields: ShareFields): Promise<string> => {
  const password = checkPassword(fields.password ?? '');
  if (fields.oneTime && fields.visibility === 'public') throw oneTimeNotPublic();
  const canonical = JSON.stringify([
    checkTitle(fields.title ?? ''),
    [...checkTags(fields.tags ?? [])].sort(),
    fields.visibility ?? null,
    fields.ttl ?? 'forever',
    fields.oneTime ?? false,
    password,
  ]);
  if (password === null) return createHash('sha256').update(canonical).digest('base64url');
  return await new Promise((resolve, reject) => {
    scrypt(canonical, salt, 32, (error, digest) =>
      error === null ? resolve(digest.toString('base64url')) : reject(error),
    );
  });
};
