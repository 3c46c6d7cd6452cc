/**
 * Recognises secrets: by a file's name, by a private key in a file or text, or by an access key of a well-known
 * service. Files with such a name or private key are left out of a shared folder, and a dropped text file of that kind
 * is not published; among the files of a folder, only `.env.example` is searched for access keys.
 */

const ENVIRONMENT = /^\.env(?!\.example$)/;

const SECRET_NAMES: readonly RegExp[] = [
  ENVIRONMENT,
  /\.(pem|key|ppk|p12|pfx|jks|keystore|kdbx)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^credentials/,
  // Files that contain a token: token, .vault-token, github_token.txt, apiToken.json; but not a source file token.ts.
  /token(\.(txt|json))?$/,
  /^tokens(\.txt)?$/,
  /^(\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.dockercfg|\.pgpass|\.htpasswd|\.s3cfg|\.boto)$/,
];

/** Whether a file of this name counts as a secret without reading it. Case-insensitive. */
export const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  return SECRET_NAMES.some((pattern) => pattern.test(lower));
};

/** Whether a folder of this name holds variables of environments, as `.envs` does. Case-insensitive. */
export const isSecretFolderName = (name: string): boolean => ENVIRONMENT.test(name.toLowerCase());

const DASH = 45;
/** Upper bound of the bytes that any kind of key needs between BEGIN and PRIVATE KEY, in UTF-16 too. */
const KIND_BYTES = 80;

/** Whether ASCII text is at `start`, case-insensitive, in UTF-8 or with the zero bytes of UTF-16 in between. */
const hasText = (bytes: Uint8Array, start: number, lower: string): boolean => {
  let at = start;
  for (let index = 0; index < lower.length; index += 1, at += 1) {
    if (bytes[at] === 0) at += 1;
    const byte = bytes[at];
    if (byte === undefined) return false;
    const letter = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (letter !== lower.charCodeAt(index)) return false;
  }
  return true;
};

/** Letters, digits and spaces, and the zero bytes of UTF-16: allowed in the name of a kind of key. */
const isOfName = (byte: number | undefined): boolean =>
  byte === 0 ||
  byte === 32 ||
  (byte !== undefined && ((byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)));

const KEY_ENDS = ['private key-----', 'private key block-----', 'private key ----'];

/** After its dashes, of which SSH2 has four and a space. */
const isKeyHeader = (bytes: Uint8Array, at: number): boolean => {
  if (!hasText(bytes, at, 'begin ') && !hasText(bytes, at, ' begin ')) return false;
  for (let word = at + 6; word < at + KIND_BYTES && isOfName(bytes[word]); word += 1)
    if (KEY_ENDS.some((end) => hasText(bytes, word, end))) return true;
  return false;
};

const DASHES_MIN = 4;

const holdsKeyHeader = (bytes: Uint8Array): boolean => {
  for (let at = bytes.indexOf(DASH); at >= 0; at = bytes.indexOf(DASH, at)) {
    let dashes = 0;
    for (; bytes[at] === DASH || bytes[at] === 0; at += 1) if (bytes[at] === DASH) dashes += 1;
    if (dashes >= DASHES_MIN && isKeyHeader(bytes, at)) return true;
  }
  return false;
};

/**
 * Dashes in Base64, as Kubernetes has its certificates and keys, and what is encoded with them: in one line, because
 * the next may be another value, and over the lines of wrapped text.
 */
const DASHES_IN_BASE64 = [/LS0tL[A-Za-z\d+/]{20,}/g, /LS0tL[A-Za-z\d+/]*(?:(?:\s|\\[nr])+[A-Za-z\d+/]{16,})*/g];
/** Between the lines, also as a string in JSON has it. */
const LINE_BREAKS = /(?:\s|\\[nr])+/g;
const AGE_KEY = /AGE-SECRET-KEY-1[A-Z\d]{50}/i;
/** A key in JSON, and its private part. */
const JSON_KEY = /"kty"\s{0,8}:/;
const JSON_PRIVATE = /"d"\s{0,8}:\s{0,8}"[\w-]{32}/;

const decoded = (text: string): Uint8Array => {
  const base64 = text.replaceAll(LINE_BREAKS, '');
  return Uint8Array.from(atob(base64.slice(0, base64.length - (base64.length % 4))), (letter) => letter.charCodeAt(0));
};

const holdsKeyAsText = (text: string): boolean =>
  AGE_KEY.test(text) ||
  (JSON_KEY.test(text) && JSON_PRIVATE.test(text)) ||
  DASHES_IN_BASE64.some((dashes) => (text.match(dashes) ?? []).some((base64) => holdsKeyHeader(decoded(base64))));

/** Each key that is looked for in a text has one of these parts: a file without them is not decoded. */
const MARKS = ['LS0tL', 'kty"', '-SECRET-KEY-1'].map((mark) => ({
  first: mark.charCodeAt(0),
  lower: mark.toLowerCase(),
}));

const holdsMark = (bytes: Uint8Array): boolean =>
  MARKS.some(({ first, lower }) => {
    for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
      if (hasText(bytes, at, lower)) return true;
    return false;
  });

/** ASCII as it is, without the zero bytes of UTF-16. */
const asciiOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes).replaceAll('\0', '');

const PUTTY = 'putty-user-key-file-';
/** Offsets at which text begins: without a byte order mark, or after one in UTF-16 or UTF-8. */
const STARTS = [0, 2, 3];

/**
 * Whether the bytes contain a private key: the header of one in PEM form, also in Base64, of OpenPGP, SSH2 or PuTTY, or
 * a key of age or in JSON (JWK). In UTF-8 or UTF-16.
 */
export const holdsPrivateKey = (bytes: Uint8Array): boolean => {
  if (STARTS.some((start) => hasText(bytes, start, PUTTY))) return true;
  return holdsKeyHeader(bytes) || (holdsMark(bytes) && holdsKeyAsText(asciiOf(bytes)));
};

/** An access key of a well-known form: how it begins, and at least so many of these characters. */
interface AccessKeyForm {
  /** A regular expression, as `characters`. */
  readonly prefix: string;
  readonly characters: string;
  readonly length: number;
  /** What its service calls it. */
  readonly name: 'key' | 'token';
}

export const ACCESS_KEY_FORMS: readonly AccessKeyForm[] = [
  { prefix: 'AKIA', characters: '[0-9A-Z]', length: 16, name: 'key' },
  { prefix: 'gh[pousr]_', characters: '\\w', length: 36, name: 'token' },
  { prefix: 'github_pat_', characters: '\\w', length: 22, name: 'token' },
  { prefix: 'glpat-', characters: '[\\w-]', length: 20, name: 'token' },
  { prefix: '[sr]k_live_', characters: '\\w', length: 16, name: 'key' },
  { prefix: 'xox[abprs]-', characters: '[\\w-]', length: 10, name: 'token' },
  { prefix: 'AIza', characters: '[\\w-]', length: 35, name: 'key' },
  { prefix: 'npm_', characters: '\\w', length: 36, name: 'token' },
  { prefix: 'lsk_', characters: '[\\w-]', length: 43, name: 'key' },
];

const ACCESS_KEY = new RegExp(
  `\\b(${ACCESS_KEY_FORMS.map(({ prefix, characters, length }) => `${prefix}${characters}{${length}}`).join('|')})`,
);

/** Whether a text contains an access key of a well-known form: an example must not carry a real one. */
export const holdsAccessKey = (bytes: Uint8Array): boolean => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return ACCESS_KEY.test(text);
};
