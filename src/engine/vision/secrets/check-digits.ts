/**
 * Validates bank card numbers and IBANs by length, prefix and check digits. Also extracts the digits of a recognised
 * text and replaces letters that look like digits, such as O for 0.
 */

const DIGIT_LIKE: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  l: '1',
  i: '1',
  '|': '1',
  Z: '2',
  S: '5',
  s: '5',
  B: '8',
};

/** The characters that may be read for a digit, and the digits: for a class of a regular expression. */
export const DIGIT_CLASS = `\\d${Object.keys(DIGIT_LIKE).join('')}`;

/** The digits of a text, with letters that look like digits taken for them; all else is left out. */
export const digitsOf = (text: string): string =>
  [...text].map((letter) => DIGIT_LIKE[letter] ?? (/\d/.test(letter) ? letter : '')).join('');

/** Whether the number is long enough for a bank card, of a known range, and has its check digit. */
export const isCardNumber = (digits: string): boolean => {
  if (!/^[2-6]\d{12,18}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

/** Lengths of an IBAN by country. */
const IBAN_LENGTHS =
  'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30';
const LENGTH_OF = new Map(
  [...IBAN_LENGTHS.matchAll(/([A-Z]{2})(\d{2})/g)].map(([, country, length]) => [country, Number(length)]),
);

/** The length of an IBAN of this country; null: it has none. */
export const ibanLength = (country: string): number | null => LENGTH_OF.get(country) ?? null;

const hasCheckDigits = (iban: string): boolean => {
  let rest = 0;
  for (const letter of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
};

/** Letters for the digits that are read instead of them in the name of a country. */
const LETTER_FOR: Readonly<Record<string, string>> = { '0': 'D', '1': 'I', '5': 'S', '6': 'G', '8': 'B' };

export const countryOf = (text: string): string =>
  [...text.slice(0, 2)].map((letter) => LETTER_FOR[letter] ?? letter.toUpperCase()).join('');

/** Whether the text is an IBAN, with none, one or all of the letters taken for the digits that look like them. */
export const isIban = (text: string): boolean => {
  const country = countryOf(text);
  if (text.length !== ibanLength(country)) return false;
  const start = country + digitsOf(text.slice(2, 4));
  const rest = text.slice(4).replaceAll('|', '1');
  // A small l is a letter or a 1; its capital looks like no digit.
  return isIbanWith(start, rest.toUpperCase()) || isIbanWith(start, rest.replaceAll('l', '1').toUpperCase());
};

const isIbanWith = (start: string, body: string): boolean => {
  const first = start + body;
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(first)) return false;
  if (hasCheckDigits(first) || hasCheckDigits(start + replaced(body))) return true;
  return [...body].some((letter, at) => {
    const digit = DIGIT_LIKE[letter];
    return digit !== undefined && hasCheckDigits(start + body.slice(0, at) + digit + body.slice(at + 1));
  });
};

const replaced = (text: string): string => [...text].map((letter) => DIGIT_LIKE[letter] ?? letter).join('');
