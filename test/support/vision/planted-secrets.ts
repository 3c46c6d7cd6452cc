/** Secrets and what only looks like one, made from a seed: with their labels, as screens show them. */
import { createHash } from 'node:crypto';
import type { SecretKind } from '../../../src/ipc/protocol/vision.ts';

/** A line of a picture: `value` is planted, `kind` null: it is no secret. */
export interface Planted {
  readonly kind: SecretKind | null;
  readonly label: string;
  readonly value: string;
}

export type Random = () => number;
type Make = (make: Maker) => Omit<Planted, 'kind'>;

interface Maker {
  pick<T>(from: readonly T[]): T;
  below(limit: number): number;
  digits(count: number): string;
  from(characters: string, count: number): string;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';

const createMaker = (random: Random): Maker => {
  const below = (limit: number): number => Math.floor(random() * limit);
  const from = (characters: string, count: number): string =>
    Array.from({ length: count }, () => characters.charAt(below(characters.length))).join('');
  return { below, from, pick: (list) => list[below(list.length)] as never, digits: (count) => from(DIGITS, count) };
};

const NAMES = 'anna boris carla dmitri elena frank grace henry irina jonas karen lev maria nikolai olga peter'.split(
  ' ',
);
const FAMILIES = 'petrova smith ivanov mueller garcia brown novak larsen kuznetsov rossi'.split(' ');
const DOMAINS = 'mail.example.com corp-mail.net studio7.io example.org north.co.uk pochta.ru web-shop.de'.split(' ');
const WORDS = 'tiger river candle winter market silver garden rocket pepper window falcon copper'.split(' ');

const email = ({ pick, below }: Maker): string =>
  pick([
    () => `${pick(NAMES)}.${pick(FAMILIES)}@${pick(DOMAINS)}`,
    () => `${pick(NAMES)}${below(90) + 10}@${pick(DOMAINS)}`,
    () => `${pick(NAMES)}_${pick(FAMILIES)}@${pick(DOMAINS)}`,
    () => `${pick(FAMILIES)}+${pick(WORDS)}@${pick(DOMAINS)}`,
  ])();

const phone = ({ pick, digits, below }: Maker): string =>
  pick([
    () => `+7 (9${digits(2)}) ${digits(3)}-${digits(2)}-${digits(2)}`,
    () => `8 9${digits(2)} ${digits(3)}-${digits(2)}-${digits(2)}`,
    () => `+49 30 ${digits(8)}`,
    () => `+1-${200 + below(700)}-555-${digits(4)}`,
    () => `(${200 + below(700)}) 555-${digits(4)}`,
    () => `+44 20 7${digits(3)} ${digits(4)}`,
    () => `+33 6 ${digits(2)} ${digits(2)} ${digits(2)} ${digits(2)}`,
  ])();

const checkDigit = (digits: string): string => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
};

const cardDigits = ({ pick, digits }: Maker, wrong = 0): string => {
  const [start, length] = pick([
    ['4', 16],
    ['52', 16],
    ['2200', 16],
    ['37', 15],
  ] as const);
  const body = start + digits(length - 1 - start.length);
  return body + String((Number(checkDigit(body)) + wrong) % 10);
};
const grouped = (number: string, between: string): string =>
  number.length === 15
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)].join(between)
    : (number.match(/.{4}/g) ?? []).join(between);
const card = (make: Maker): string => grouped(cardDigits(make), make.pick([' ', ' ', '-', '']));

const ip = ({ pick, below, from }: Maker): string =>
  pick([
    () => `192.168.${below(250)}.${1 + below(250)}`,
    () => `10.${below(250)}.${below(250)}.${1 + below(250)}`,
    () => `203.0.113.${1 + below(250)}`,
    () => `${11 + below(90)}.${below(250)}.${below(250)}.${1 + below(250)}:${1000 + below(9000)}`,
    () => `2001:db8:${from('123456789abcdef', 4)}::${from('123456789abcdef', 3)}`,
  ])();

const BASE62 = UPPER + LOWER + DIGITS;
const key = ({ pick, from }: Maker): string =>
  pick([
    () => `AKIA${from(`${UPPER}234567`, 16)}`,
    () => `AIza${from(`${BASE62}_-`, 35)}`,
    () => `sk_live_${from(BASE62, 24)}`,
    () => `lsk_${from(BASE62, 43)}`,
  ])();
const token = ({ pick, from, digits }: Maker): string =>
  pick([
    () => `ghp_${from(BASE62, 36)}`,
    () => `glpat-${from(BASE62, 20)}`,
    () => `xoxb-${digits(11)}-${from(BASE62, 18)}`,
    () => `npm_${from(BASE62, 36)}`,
    () => `eyJhbGciOiJIUzI1NiJ9.eyJ${from(BASE62, 26)}.${from(BASE62, 30)}`,
  ])();
const password = ({ pick, from, below, digits }: Maker): string =>
  pick([
    () => `${pick(WORDS)}${digits(3)}!`,
    () => `${from(UPPER, 1)}${pick(WORDS)}-${pick(WORDS)}-${below(90) + 10}`,
    () => from(`${LOWER + UPPER + DIGITS}#$%&`, 9) + digits(2),
    () => `${from(UPPER, 1)}${pick(WORDS)}_${digits(4)}`,
  ])();

const iban = ({ pick, digits, from }: Maker): string => {
  const [country, body] = pick([
    () => ['DE', digits(18)] as const,
    () => ['FR', digits(23)] as const,
    () => ['NL', from(UPPER, 4) + digits(10)] as const,
    () => ['GB', from(UPPER, 4) + digits(14)] as const,
    () => ['ES', digits(20)] as const,
  ])();
  const value = [...`${body}${country}00`].map((letter) => Number.parseInt(letter, 36)).join('');
  const check = 98 - Number(BigInt(value) % 97n);
  const whole = `${country}${String(check).padStart(2, '0')}${body}`;
  return pick([true, true, false]) ? (whole.match(/.{1,4}/g) ?? []).join(' ') : whole;
};

const SECRETS: Readonly<Record<SecretKind, readonly [readonly string[], (make: Maker) => string]>> = {
  email: [['E-mail', 'Contact', 'Почта', 'From', 'Автор', 'Reply to'], email],
  phone: [['Phone', 'Телефон', 'Mobile', 'Call', 'Связь'], phone],
  card: [['Card', 'Карта', 'Card number', 'Paid with'], card],
  ip: [['Host', 'Server', 'Сервер', 'Client address', 'Адрес'], ip],
  key: [['API key', 'Access key', 'Ключ', 'Key'], key],
  token: [['Token', 'Access token', 'Токен', 'Auth'], token],
  password: [['Password', 'Пароль', 'password', 'Admin password', 'Пароль от Wi-Fi', 'DB_PASSWORD'], password],
  iban: [['IBAN', 'Account', 'Счёт', 'Pay to'], iban],
};

/** What is no secret. */
const DECOYS: readonly Make[] = [
  ({ digits }) => ({ label: 'Order', value: `${digits(4)}-${digits(6)}` }),
  ({ below }) => ({ label: 'Version', value: `${below(20)}.${below(20)}.${below(20)}.${below(90)}` }),
  ({ below }) => ({ label: 'Версия', value: `${below(20)}.${below(20)}.${below(200)}` }),
  ({ below }) => ({
    label: 'Date',
    value: `2026-0${1 + below(9)}-${10 + below(18)} ${10 + below(13)}:${10 + below(49)}`,
  }),
  ({ below }) => ({ label: 'Дата', value: `${10 + below(18)}.0${1 + below(9)}.2026` }),
  ({ from }) => ({ label: 'Commit', value: from('0123456789abcdef', 40) }),
  ({ below }) => ({ label: 'Size', value: `${1 + below(900)},${100 + below(800)},${100 + below(800)} bytes` }),
  ({ below }) => ({ label: 'Итого', value: `${1 + below(90)} ${100 + below(800)},${10 + below(80)} ₽` }),
  (make) => ({ label: 'Card', value: grouped(cardDigits(make, 1 + make.below(8)), ' ') }),
  ({ digits }) => ({ label: 'IBAN', value: `DE00 ${digits(4)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(2)}` }),
  () => ({ label: 'Password', value: 'must have at least 8 characters' }),
  () => ({ label: 'Пароль', value: 'должен содержать 8 символов' }),
  () => ({ label: 'Password', value: '••••••••' }),
  () => ({ label: 'Password', value: 'required' }),
  () => ({ label: 'Token', value: 'expired yesterday' }),
  () => ({ label: 'Key', value: 'Ctrl+Shift+F5' }),
  ({ pick, below }) => ({
    label: 'Package',
    value: `@${pick(WORDS)}/${pick(WORDS)}@${below(9)}.${below(20)}.${below(9)}`,
  }),
  ({ pick }) => ({ label: 'Mention', value: `@${pick(NAMES)}_${pick(FAMILIES)}` }),
  ({ pick }) => ({ label: 'Page', value: `https://${pick(DOMAINS)}/${pick(WORDS)}/${pick(WORDS)}` }),
  ({ from }) => ({ label: 'MAC', value: (from('0123456789abcdef', 12).match(/../g) ?? []).join(':') }),
  ({ digits }) => ({ label: 'ISBN', value: `978-${digits(1)}-${digits(4)}-${digits(4)}-${digits(1)}` }),
  () => ({ label: 'Mask', value: '255.255.255.0' }),
  () => ({ label: 'Local', value: '127.0.0.1' }),
  ({ below }) => ({ label: 'Range', value: `${2000 + below(20)}-${2021 + below(9)}` }),
  ({ pick }) => ({ label: 'Key features', value: `${pick(WORDS)} and ${pick(WORDS)}` }),
  ({ below }) => ({ label: 'Rate', value: `${10 + below(80)} @ ${1 + below(9)} GHz` }),
];

const KINDS = Object.keys(SECRETS) as SecretKind[];

/** `index` counts through the kinds, so that each is as frequent. */
export const plantSecret = (random: Random, index: number): Planted => {
  const make = createMaker(random);
  const kind = KINDS[index % KINDS.length] ?? 'email';
  const [labels, value] = SECRETS[kind];
  return { kind, label: make.pick(labels), value: value(make) };
};

export const plantDecoy = (random: Random, index: number): Planted => {
  const make = DECOYS[index % DECOYS.length] ?? DECOYS[0];
  if (!make) throw new Error('There are no decoys.');
  return { kind: null, ...make(createMaker(random)) };
};

/** What a QR code holds; the secret is in it. */
export const codeText = (random: Random, index: number): Planted => {
  const make = createMaker(random);
  const texts: readonly (() => Planted)[] = [
    () => ({
      kind: 'password',
      label: '',
      value: `WIFI:T:WPA;S:${make.pick(WORDS)};P:${password(make).replace(/[;:]/g, '')};;`,
    }),
    () => ({ kind: 'email', label: '', value: `mailto:${email(make)}` }),
    () => ({ kind: 'key', label: '', value: `otpauth://totp/shop:${make.pick(NAMES)}?secret=${make.from(UPPER, 16)}` }),
    () => ({ kind: null, label: '', value: `https://${make.pick(DOMAINS)}/${make.pick(WORDS)}` }),
  ];
  return (texts[index % texts.length] ?? texts[0])?.() as Planted;
};

/** Lines of a private key, without the power to open anything. */
export const privateKey = (random: Random): readonly string[] => {
  const bytes = createHash('sha512').update(String(random())).digest('base64');
  return ['-----BEGIN PRIVATE KEY-----', bytes.slice(0, 44), bytes.slice(44), '-----END PRIVATE KEY-----'];
};
