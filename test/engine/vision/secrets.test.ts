/** Finding secrets among recognised words, given as boxes. */
import { describe, expect, it } from 'vitest';
import { isCardNumber, isIban } from '../../../src/engine/vision/secrets/check-digits.ts';
import { findSecrets } from '../../../src/engine/vision/secrets/find-secrets.ts';
import { findLabelledIn } from '../../../src/engine/vision/secrets/labelled-secrets.ts';
import type { PictureContent } from '../../../src/ipc/protocol/vision.ts';

type Word = PictureContent['words'][number];
const LETTER = 9;
const HEIGHT = 16;
const LINE = 26;

/** Words of lines of equal letters; two spaces or more between words are a wide gap. */
const wordsOf = (...lines: readonly string[]): readonly Word[] =>
  lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
      text,
      x: 20 + index * LETTER,
      y: 20 + row * LINE,
      width: text.length * LETTER,
      height: HEIGHT,
      confidence: 90,
    })),
  );
const find = (...lines: readonly string[]) => findSecrets([wordsOf(...lines)], []);
const kindsOf = (...lines: readonly string[]) => find(...lines).map(({ kind }) => kind);
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

describe('by its form', () => {
  it.each([
    ['email', 'Write to anna.petrova@mail.example.com today'],
    ['email', 'anna.petrova @mail.example. com'],
    ['phone', 'Call +7 (912) 345-67-89 now'],
    ['phone', '(202) 555-0143'],
    ['phone', 'Телефон: 495 123 45 67'],
    ['phone', '"Phone": "555-2053",'],
    ['card', 'Card 4111 1111 1111 1111 ends 12/27'],
    ['card', '41l1-1111-1111-1I11'],
    ['ip', 'Server 203.0.113.7:8080'],
    ['ip', '192,168.10.24'],
    ['ip', '2001:db8:7b8e::788'],
    ['key', 'AKIAIOSFODNN7EXAMPLE'],
    ['key', `AlzaSy${'A1b2C3d4'.repeat(4)}x`],
    ['token', TOKEN],
    ['token', 'xoxb-13702376260-ad8ViJsnjuOt0gRbK6'],
    ['token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3'],
    ['token', 'Authorization: Bearer a8f5f167f44f4964e6c998dee827110c'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'GB82WEST12345698765432'],
    ['password', 'postgres://admin:Tr0ub4dor@db/main'],
    ['password', 'redis://:hunter2secret@localhost:6379/0'],
  ] as const)('finds %s in "%s"', (kind, line) => expect(kindsOf(line)).toEqual([kind]));

  it.each([
    'Version 10.2.3.14 of 2026-05-12 18:40',
    'Card 4111 1111 1111 1112',
    'DE00 3704 0044 0532 0130 00',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    'npm install @scope/package@1.2.3',
    'npm install react-native-something --save-exact 12',
    'ISBN 978-3-1614-8410-0',
    '127.0.0.1 and 255.255.255.0',
    '00:1b:44:11:3a:b7',
    'git@github.com:owner/name.git',
    '1,284,566 bytes',
    '10 @ 3 GHz',
  ])('finds nothing in "%s"', (line) => expect(kindsOf(line)).toEqual([]));
});

describe('by its label', () => {
  /** Of a variable in a shell. */
  const OPEN = '${';
  it.each([
    ['Password: hunter'],
    ['Пароль: tiger-42'],
    ['Пароль от Wi-Fi: Qwerty!5'],
    ['DB_PASSWORD=s3cret'],
    ['"password": "correct horse"'],
    ['Password       Tiger_42'],
    ['Your PIN is 4821'],
    ['Password: Tr0ub4dor(3'],
    ['Password: Tr0ub4dor(3 copied'],
    ['Password: hunter(2x'],
    ['Password: aB(x9#k)'],
    ['Password: $ecret123!x'],
    ['Password: $Passw0rd'],
    ['Password: $2b$10$N9qo8uLOickgx2ZMRZoMye'],
    ['Password: <k9x!Ab'],
    ['"password": "Tr0ub4dor(3)"'],
    ["PASSWORD='hunter2(x)'"],
    ['password = "abc(1)xyz9";'],
    ['DB_PASSWORD="hunter(2) x"'],
    ["DB_PASSWORD='hunter(2) x'"],
    ["password: 'Tr0ub4dor(3) &q',"],
    ["Password: 'hunter2  Bob's"],
  ])('finds the password in "%s"', (line) => expect(kindsOf(line)).toEqual(['password']));

  it.each([
    ["PASSWORD='Zx9k kk1 pq7' # Bob's", 'Zx9k kk1 pq7'],
    ['PASSWORD=`Zx9k kk1 pq7`', 'Zx9k kk1 pq7'],
    ['const password = `hunter(2) x`;', 'hunter(2) x'],
    ['PASSWORD="Zx9k kk1 pq7"', 'Zx9k kk1 pq7'],
    ["Password: 'Zx9k copied to Bob's clipboard", 'Zx9k'],
    ["Password: 'Zx9k\tof the 'admin'", 'Zx9k'],
  ])('finds all between the quotes, or one word behind what is no quote: %j', (line, password) =>
    expect(findLabelledIn(line).map(({ start, end }) => line.slice(start, end))).toEqual([password]),
  );

  it('finds the password in the field below its label', () => {
    const [found] = find('Name', 'anna', 'Password', 'Tiger_42!');
    expect(found).toMatchObject({ kind: 'password' });
    expect(found?.y).toBeGreaterThan(20 + 2 * LINE);
  });
  it('finds the password behind what continues a token', () => {
    expect(kindsOf(`API_TOKEN=${TOKEN}`, 'db-master-01.internal  password: hunter2')).toEqual([
      ...['token', 'token', 'password'],
    ]);
  });
  it('finds a token and a key of any form beside their labels', () => {
    expect(kindsOf('Token: 9f86d081884c7d65', 'API key: 00ab11cd22ef')).toEqual(['token', 'key']);
  });
  it.each([
    'Password: must have at least 8 characters',
    'Пароль должен содержать 8 символов',
    'Password: required',
    'Password: ••••••••',
    'Password       E-mail',
    'Forgot password?',
    'Token expired yesterday',
    'Key: Ctrl+Shift+F5',
    'password = getPassword();',
    'password = input("Enter it: ")',
    'password = os.getenv("DB_PASSWORD2", "")',
    'password = base64.b64decode(data, None)',
    'password = hash(',
    'password: randint(0, 9)',
    'token_password = sha256(text).hexdigest()',
    'PASSWORD=$DB_PASSWORD_2',
    `PASSWORD=${OPEN}DB_PASSWORD}`,
    `PASSWORD="${OPEN}{ secrets.PASSWORD }}"`,
    'PASSWORD=$(pass show db)',
    'PASSWORD="$(pass show db2)"',
    "PASSWORD='$DB_PASSWORD_2'",
    "password=''; name='anna'",
    "<user-form password='getPassword()'>",
    '<user-form password="getPassword()">',
    "password = hash('hunter2')",
    "password = hash(x) + 'y'",
    '$password = $this->config->password;',
    '$password = $user->reset(now())->plain(1)["text"];',
    "$password = $_POST['password'];",
    'password: <your-password>',
    'password: <enter yours>',
    '<label>Password:</label> <input>',
  ])('finds nothing in "%s"', (line) => expect(kindsOf(line)).toEqual([]));

  it('takes no longer for each call of a chain that is no code after all', () => {
    const chain = `$a${'->a()'.repeat(2_000)}!`;
    expect(kindsOf(`$password = ${chain}`)).toEqual(['password']);
    const code = { format: 'QRCode', text: `password=${chain}`, x: 0, y: 0, width: 9, height: 9 };
    expect(findSecrets([], [code])).toHaveLength(1);
  });
});

describe('a list of codes', () => {
  const HEX = ['a1b2c-3d4e5', 'f6a7b-8c9d0', '1e2f3-a4b5c', '6d7e8-f9a0b', 'c1d2e-3f4a5', 'b6c7d-8e9f0', 'a2b3c-4d5e6'];
  const SIXTEEN = Array.from(
    { length: 16 },
    (_, at) => `${(at * 7919 + 46_656).toString(36)}x${at % 10}-k${at % 7}pq${at % 3}`,
  );
  const DIGITS = [
    '1234 5678',
    '8765 4321',
    '2468 1357',
    '1122 3344',
    '9081 7263',
    '5544 1919',
    '6070 8090',
    '3141 5926',
  ];
  const inPairs = (codes: readonly string[], gap: string) =>
    Array.from({ length: Math.ceil(codes.length / 2) }, (_, at) => codes.slice(at * 2, at * 2 + 2).join(gap));
  /** What no box covers. */
  const left = (lines: readonly string[]): string => {
    const words = wordsOf(...lines);
    const boxes = findSecrets([words], []);
    const isHidden = ({ x, y, width }: Word): boolean =>
      boxes.some((box) => x >= box.x && x + width <= box.x + box.width && y > box.y && y < box.y + box.height);
    return words.flatMap((word) => (isHidden(word) ? [] : [word.text])).join(' ');
  };

  it.each([
    ['below its heading', ['Recovery codes', ...HEX], 'Recovery codes'],
    ['of sixteen', ['Your backup codes:', ...SIXTEEN], 'Your backup codes:'],
    ['of digits', ['Backup codes', ...DIGITS], 'Backup codes'],
    ['in columns', ['Recovery codes', ...inPairs(HEX, '        ')], 'Recovery codes'],
    ['in columns close together', ['Recovery codes', ...inPairs(DIGITS, '  ')], 'Recovery codes'],
    [
      'with numbers',
      ['Backup codes', ...HEX.map((code, at) => `${at + 1}. ${code}`)],
      'Backup codes 1. 2. 3. 4. 5. 6. 7.',
    ],
    [
      'below what explains it',
      ['Recovery codes', 'Keep them safe: each works once.', '', ...HEX],
      'Recovery codes Keep them safe: each works once.',
    ],
    ['beside its label', [`Recovery codes: ${HEX.slice(0, 3).join(' ')}`, HEX.slice(3).join(', ')], 'Recovery codes:'],
    ['one of which has no digit', ['Backup codes', 'a1b2-c3d4', 'abcd-efgh', 'k4m5-n6p7'], 'Backup codes'],
    [
      'one of which is misread',
      ['Backup codes', ...HEX.slice(0, 3), 'b6c7d8e9f0', '~~', ...HEX.slice(4)],
      'Backup codes ~~',
    ],
    ['in Russian', ['Резервные коды', ...DIGITS], 'Резервные коды'],
  ])('is hidden whole: %s', (_, lines, shown) => expect(left(lines)).toBe(shown));

  it.each([
    [['Recovery codes', 'Created 2026-05-12, used 3 of 10', 'Last used on 12 May 2026', 'Download   Print   Copy']],
    [['Backup codes', '8 codes left', 'Passkeys', 'iPhone15', 'Chrome126', 'Windows11Pro']],
    [['Security codes of 2025 and 2026', '2025     2026', 'Total    1284']],
    [['Backup codes', '', '', '', '', '', '', '', '', '', '', 'Orders', '4482-201944', '4482-201945', '4482-201946']],
  ])('is not made of what else is below: %j', (lines) => expect(find(...lines)).toEqual([]));
});

describe('places', () => {
  it('hides whole words with a margin, and nothing beside them', () => {
    const [found] = find('Mail anna@example.com now');
    const word = wordsOf('Mail anna@example.com now')[1];
    if (!found || !word) throw new Error('It is not found.');
    expect(found.x).toBeLessThan(word.x);
    expect(found.x + found.width).toBeGreaterThan(word.x + word.width);
    expect(found.x).toBeGreaterThan(20 + 4 * LETTER);
    expect(found.x + found.width).toBeLessThan(20 + 22 * LETTER);
    expect(found.confidence).toBe(90);
  });
  it('hides all words of a secret that is read as several', () => {
    const [found, ...others] = find('4111 1111 1111 1111');
    expect(others).toEqual([]);
    expect(found?.width).toBeGreaterThanOrEqual(19 * LETTER);
  });
  it('joins the readings of one picture', () => {
    expect(findSecrets([wordsOf('anna@example.com'), wordsOf('anna@example.corn')], [])).toHaveLength(1);
  });
  it('hides the lines of a private key, and the rest of a token that is broken at the end of its line', () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB';
    expect(kindsOf('-----BEGIN PRIVATE KEY-----', body, '-----END PRIVATE KEY-----', 'done')).toEqual(
      Array.from({ length: 3 }, () => 'key'),
    );
    expect(find(TOKEN.slice(0, 38), 'x9Y8z7W6v5U4t3 next')).toHaveLength(2);
  });
  it('hides a code that holds a secret, and no other', () => {
    const at = { format: 'QRCode', x: 100, y: 100, width: 80, height: 80 };
    const codes = [
      { ...at, text: 'WIFI:T:WPA;S:home;P:tiger42;;' },
      { ...at, x: 300, text: 'https://example.com/menu' },
      { ...at, x: 500, format: 'EAN13', text: '4111111111111' },
    ];
    expect(findSecrets([[]], codes)).toMatchObject([{ kind: 'password' }]);
    const [found] = findSecrets([[]], codes);
    expect(found?.x).toBeLessThan(100);
  });
});

it('checks the check digits of cards and accounts', () => {
  expect(isCardNumber('4111111111111111')).toBe(true);
  expect(isCardNumber('4111111111111112')).toBe(false);
  expect(isCardNumber('0000000000000000')).toBe(false);
  expect(isIban('GB82WEST12345698765432')).toBe(true);
  expect(isIban('GB82WEST123456987654E2')).toBe(false);
  expect(isIban('DE8937O40044O532O130OO')).toBe(true);
  // A small l that is read for a 1, and one that is a letter.
  expect(isIban('GB82WESTl2345698765432')).toBe(true);
  expect(isIban('gb16lloy30963412345678')).toBe(true);
  expect(isIban('GB82WESTl2345698765433')).toBe(false);
});

it('takes no time for a long line that is no secret', () => {
  const hostile = [
    'a.'.repeat(1_900),
    '1 '.repeat(1_900),
    'ey'.repeat(1_900),
    `${'@'.repeat(1_900)} password `.repeat(2),
  ];
  for (const line of hostile) expect(findSecrets([wordsOf(line)], [])).toBeDefined();
});
