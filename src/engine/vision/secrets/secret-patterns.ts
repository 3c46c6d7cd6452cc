/**
 * Finds secrets in a line of text by pattern: keys, tokens, passwords in URLs, e-mail and IP addresses, phone
 * numbers, and card and bank numbers with check digits. Tolerates OCR errors: letters for digits, spaces around dots,
 * commas for dots. Also recognises labels of version numbers, which look like IP addresses.
 */
import { ACCESS_KEY_FORMS } from '../../../common/folder/detect-secrets.ts';
import type { SecretKind } from '../../../ipc/protocol/vision.ts';
import { countryOf, DIGIT_CLASS, digitsOf, ibanLength, isCardNumber, isIban } from './check-digits.ts';
import { foldedText } from './text-rows.ts';

/** From `start` to before `end` of the text. */
export interface SecretPart {
  readonly kind: SecretKind;
  readonly start: number;
  readonly end: number;
}

type Find = (text: string) => readonly SecretPart[];

/** Each match of a pattern that is accepted; the group `value`, where there is one, is the secret. */
const byPattern =
  (kind: SecretKind, pattern: RegExp, accept: (match: RegExpExecArray, text: string) => boolean = () => true): Find =>
  (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      if (!accept(match, text)) return [];
      const value = match.groups?.['value'] ?? match[0];
      const start = match.index + match[0].lastIndexOf(value);
      return [{ kind, start, end: start + value.length }];
    });

/** Forms that the rules of folders do not know, because code has such texts as examples too often. */
const MORE_FORMS = [
  { prefix: 'sk-', characters: '[\\w-]', length: 20, name: 'key' },
  { prefix: '[sr]k_test_', characters: '\\w', length: 16, name: 'key' },
  { prefix: 'hf_', characters: '\\w', length: 30, name: 'token' },
  { prefix: 'whsec_', characters: '\\w', length: 24, name: 'key' },
] as const;

/** Letters are lost or read twice, and signs are taken for others or for a space. */
const LENGTH_SHARE = 0.75;
const CONFUSED: Readonly<Record<string, string>> = {
  _: '[_ .-]{0,2}',
  '-': '[-_ .]{0,2}',
  I: '[Il1|]',
  l: '[Il1|]',
  i: '[il1|j]',
  o: '[oO0]',
  O: '[oO0]',
  s: '[sS5]',
  S: '[sS5]',
  g: '[g9q]',
  z: '[zZ2]',
  k: '[kK]',
  v: '[vV]',
  x: '[xX]',
  b: '[b6]',
};

/** Letters outside of classes may be read as others. */
const tolerant = (prefix: string): string =>
  prefix.replace(/\[[^\]]*\]|./g, (part) => (part.length > 1 ? part : (CONFUSED[part] ?? part)));

/** What a machine made: a long part with digits, or in capitals, and no address or path. */
const isRandom = (text: string): boolean => {
  const parts = text.split(' ').filter(Boolean);
  const least = Math.min(10, text.length * 0.4);
  const isMade = (part: string): boolean => part.length >= least && (/\d/.test(part) || /^[A-Z]{12,}$/.test(part));
  return parts.length <= 4 && !/[@/]/.test(text) && parts.some(isMade);
};

const byForm = ({ prefix, length, name }: (typeof MORE_FORMS | typeof ACCESS_KEY_FORMS)[number]): Find => {
  const least = Math.ceil(length * LENGTH_SHARE);
  // A space only between long parts.
  const pattern = `(?<![\\p{L}\\p{N}])${tolerant(prefix)}(?<body>(?:\\S| (?=\\S{4})){${least},${length + 2}}\\S*)`;
  return byPattern(name, new RegExp(pattern, 'gu'), ({ groups }) => isRandom(groups?.['body'] ?? ''));
};

/** Three parts with dots between, of which the first begins with a brace in Base64. */
const JWT = /(?<![\p{L}\p{N}-])[eE][yvY][Jj)I|Ll1\]][\w)(|¥/+=-]{9,}\S*(?: [\w.)(|-]{12,})*/gu;
const BEARER = /\bBearer\s+(?<value>[\w~+/=-][\w.~+/=-]{15,})/gi;

const EMAIL =
  /[\p{L}\p{N}][\p{L}\p{N}._%+-]*(?: ?\. ?[\p{L}\p{N}_%+-]+)? ?[@©®] ?[\p{L}\p{N}?-]+(?:\.[\p{L}\p{N}?-]+)*(?:\. ?|,)\p{L}{2,}/gu;
/** An address of code, or the name of a picture for dense screens. */
const NO_EMAIL = /^(?:git|hg|svn) ?@|@\dx\.|\.(?:png|jpe?g|webp|svg|gif)$/i;

const isPlainAt = (match: RegExpExecArray): boolean => !NO_EMAIL.test(match[0]);

const OCTET = '[\\dOolI|]{1,3}';
const IP_4 = new RegExp(`(?<![\\p{L}\\p{N}.,])${OCTET}(?:[.,] ?${OCTET}){3}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'gu');
const IP_6 =
  /(?<![\p{L}\p{N}:.])(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6}|(?:[\da-f]{1,4}:){2,7}:)(?![\p{L}\p{N}:])/giu;
const VERSION_BEFORE = new RegExp(
  foldedText('(?<!\\p{L})(?:version|build|release|revision|v|ver|rev|версия|сборка|релиз)[.:="\\s]*$'),
  'iu',
);

/** Whether a text ends with a word for a version, whose four numbers are no address. */
export const isVersionLabel = (text: string): boolean => VERSION_BEFORE.test(text);

const isAddress = (match: RegExpExecArray, text: string): boolean => {
  if (isVersionLabel(text.slice(Math.max(0, match.index - 16), match.index))) return false;
  if (digitsOf(match[0]).length < 4 || !/\d.*\d.*\d/.test(match[0])) return false;
  const octets = match[0].split(/[.,] ?/).map((octet) => Number(digitsOf(octet)));
  const [first = 0, second] = octets;
  if (octets.some((octet) => octet > 255)) return false;
  // This computer, any address, and masks of networks.
  return first !== 0 && first !== 127 && !(first === 255 && second === 255);
};
/** Two colons in words of code, such as `fade::bad`, are none. */
const isAddress6 = ({ 0: address }: RegExpExecArray): boolean =>
  /\d/.test(address) && address.split(':').filter(Boolean).length >= 3;

const CARD = new RegExp(
  `(?<![\\p{L}\\p{N}.,-])[${DIGIT_CLASS}](?:[ -]?[${DIGIT_CLASS}]){12,27}(?![\\p{L}\\p{N}]|[.,-]\\d)`,
  'gu',
);
const CARD_SHAPE = /^(?:\d{4}(?: \d{4}){2} \d{1,7}|\d{4} \d{6} \d{4,5}|\d{13,19})$/;

/** Numbers beside the card, such as its security code, are not of it. */
const findCards: Find = (text) =>
  [...text.matchAll(CARD)].flatMap((match) => {
    const groups = [...match[0].matchAll(/[^ -]+/g)];
    for (let first = 0; first < groups.length; first++)
      for (let last = groups.length; last > first; last--) {
        const taken = groups.slice(first, last);
        const shape = taken.map(([group]) => digitsOf(group)).join(' ');
        const end = taken.at(-1);
        if (!end || !CARD_SHAPE.test(shape) || !isCardNumber(shape.replaceAll(' ', ''))) continue;
        const start = match.index + (taken[0]?.index ?? 0);
        return [{ kind: 'card', start, end: match.index + end.index + end[0].length }];
      }
    return [];
  });

const IBAN = /(?<![\p{L}\p{N}])[A-Z01568]{2} ?[\dOoQDIlSB|]{2}/gu;

const findIbans: Find = (text) =>
  [...text.matchAll(IBAN)].flatMap((match) => {
    const length = ibanLength(countryOf(match[0]));
    if (length === null) return [];
    let [iban, end] = ['', match.index];
    for (; end < text.length && iban.length < length; end++) {
      const letter = text.charAt(end);
      if (/[A-Za-z\d|]/.test(letter)) iban += letter;
      else if (!/[ .-]/.test(letter)) break;
    }
    return isIban(iban) && !/[\p{L}\p{N}]/u.test(text.charAt(end)) ? [{ kind: 'iban', start: match.index, end }] : [];
  });

/** So many digits with what separates them, without the first one. */
const moreDigits = (least: number, most: number): string => `(?:[ .()-]{0,3}[\\dOolI|]){${least - 1},${most - 1}}`;
const END = '(?![\\p{L}\\p{N}])';
const LABELLED_PHONE = foldedText(
  '(?:phone|telephone|tel|mobile|cell|whatsapp|fax|телефон|тел|моб|мобильный|факс)(?: number|)["\']?[.:=]{0,2}',
);
const PHONES: readonly RegExp[] = [
  // International.
  new RegExp(`(?<![\\p{L}\\p{N}+])\\+ ?\\(?\\d${moreDigits(8, 15)}${END}`, 'gu'),
  /(?<![\p{L}\p{N}.+-]|\d )00[ -]?[1-9]\d(?:[ ()-]{0,2}\d){7,12}(?![\p{L}\p{N}])/gu,
  // Of North America, and of Russia.
  /(?<![\p{L}\p{N}.-])(?:1[ -])?\(\d{3}\) ?\d{3}[- ]\d{4}(?![\p{L}\p{N}]|[.-]\d)/gu,
  /(?<![\p{L}\p{N}.-]|\d )(?:1[ -])?\d{3}([-.])\d{3}\1\d{4}(?![\p{L}\p{N}]|[.-]\d)/gu,
  /(?<![\p{L}\p{N}.+-]|\d )[78][ -]?\(?[3489]\d{2}\)?[ -]?\d{3}[ -]?\d{2}[ -]?\d{2}(?![\p{L}\p{N}]|[.-]\d)/gu,
  // Any, beside the word for it.
  new RegExp(`(?<![\\p{L}\\p{N}])${LABELLED_PHONE}\\s*["']?(?<value>\\(?\\d${moreDigits(7, 13)})${END}`, 'giu'),
];

const CREDENTIALS_IN_ADDRESS = /\b[a-z][a-z\d+]{1,14}:\/\/[^\s:@/]{0,64}:(?<value>[^\s@/]{3,})@/gi;

/** In the order of precedence: what one finds, the later ones do not. */
export const SECRET_FINDERS: readonly Find[] = [
  ...[...ACCESS_KEY_FORMS, ...MORE_FORMS].map(byForm),
  byPattern('token', JWT, ([text]) => /\d/.test(text) && /\p{Lu}/u.test(text)),
  byPattern('token', BEARER),
  byPattern('password', CREDENTIALS_IN_ADDRESS),
  findIbans,
  findCards,
  byPattern('email', EMAIL, isPlainAt),
  byPattern('ip', IP_4, isAddress),
  byPattern('ip', IP_6, isAddress6),
  ...PHONES.map((pattern) => byPattern('phone', pattern)),
];
