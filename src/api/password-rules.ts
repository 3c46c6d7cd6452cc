/** Checks that a password is well-formed Unicode and has a length that the service accepts. */
import { LIMITS } from './limits.ts';

/**
 * Whether the service takes it as a password: its characters count as sent; it is normalized only to be hashed (API
 * document, "Limits"; decision 1).
 */
export const isValidPassword = (password: string): boolean => {
  if (!password.isWellFormed()) return false;
  const length = [...password].length;
  return length >= LIMITS.passwordMinCharacters && length <= LIMITS.passwordMaxCharacters;
};
