/** Parses `--kinds` of `linkshot redact`: which kinds of secrets to hide in a picture, such as `email,card`. */

import { err, ok, type Result } from '../../api/errors.ts';
import type { SecretKind } from '../../ipc/protocol/vision.ts';

export const SECRET_KINDS: readonly SecretKind[] = ['email', 'phone', 'card', 'iban', 'ip', 'key', 'token', 'password'];

const isKind = (text: string): text is SecretKind => SECRET_KINDS.some((kind) => kind === text);

export const readKinds = (text: string): Result<SecretKind[], string> => {
  const kinds = text.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !isKind(kind));
  return unknown === undefined
    ? ok(kinds.filter(isKind))
    : err(`takes some of ${SECRET_KINDS.join(', ')}, not "${unknown}"`);
};
