/** The length of a password counts the same in the app as on the service: in characters as sent. */
import { expect, it } from 'vitest';
import { isValidPassword } from '../../src/api/password-rules.ts';
import { validateLink } from '../../src/engine/link-rules.ts';
import { hindranceOf } from '../../src/renderer/screens/note/note-editor-state.ts';
import { checkPassword } from '../../src/server/passwords.ts';

const LIGATURE = '\ufb00';
const ACCENTED = 'e\u0301';

it.each([
  { what: 'eight letters', password: 'abcdefgh', isValid: true },
  { what: 'seven letters', password: 'abcdefg', isValid: false },
  { what: 'eight characters beyond U+FFFF', password: '\u{1f511}'.repeat(8), isValid: true },
  { what: 'four of them, which are eight units', password: '\u{1f511}'.repeat(4), isValid: false },
  { what: 'four ligatures, which normalize to eight letters', password: LIGATURE.repeat(4), isValid: false },
  { what: 'eight marks and letters, which normalize to four', password: ACCENTED.repeat(4), isValid: true },
  { what: '128 ligatures, which normalize to 256 letters', password: LIGATURE.repeat(128), isValid: true },
  { what: '129 letters', password: 'a'.repeat(129), isValid: false },
  { what: 'half of a pair', password: `\ud83d${'a'.repeat(8)}`, isValid: false },
])('a password of $what is valid everywhere or nowhere: $isValid', ({ password, isValid }) => {
  const isTakenByServer = (): boolean => {
    try {
      return checkPassword(password) !== null;
    } catch {
      return false;
    }
  };
  expect({
    rule: isValidPassword(password),
    server: isTakenByServer(),
    engine: validateLink({ password }, 0) === null,
    note: hindranceOf({ text: 'words', password, isPasswordLost: false, conflict: null }) === null,
  }).toEqual({ rule: isValid, server: isValid, engine: isValid, note: isValid });
});
