/** English texts about reading the text and the codes of a picture. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const words = (count: number): string => `${number.format(count)} ${plural(count, { one: 'word', other: 'words' })}`;

export const enPictureText = {
  copyText: 'Copy text',
  copyTextOf: (name: string) => `Copy the text in ${name}`,
  reading: 'Reading the text…',
  progress: 'Progress of reading the text',
  cancel: 'Cancel',
  copied: (count: number) => `${words(count)} copied`,
  waits: (count: number) => `${words(count)} not copied yet`,
  waitsHint: 'Click anywhere on this page to copy them.',
  refused: 'Couldn’t copy the text',
  copy: 'Copy',
  nothing: 'No text found',
  nothingHint: 'The picture was read on this computer, and nothing was copied.',
  onlyCodes: (count: number) =>
    plural(count, { one: 'No text found, but a code', other: `No text found, but ${count} codes` }),
  onlyCodesHint: 'Nothing was copied or opened.',
  withoutRussian:
    'Russian isn’t read: its data isn’t installed. On Debian and Ubuntu, install the package tesseract-ocr-rus.',
  showCodes: (count: number) => plural(count, { one: 'Show the code', other: `Show ${count} codes` }),
  codes: (count: number) => plural(count, { one: 'Code in the picture', other: 'Codes in the picture' }),
  qrCode: 'QR code',
  otherCode: (format: string) => `Code (${format})`,
  opens: (host: string) => `Leads to ${host}`,
  open: 'Open in the browser',
  copyCode: 'Copy what the code holds',
  secrets: {
    find: 'Find secrets',
    looking: 'Looking for what looks secret…',
    failed: 'The picture couldn’t be checked. Look for secrets yourself before you share it.',
    nothing: 'Nothing looks secret. No program finds everything: look at the picture before you share it.',
    place: (kind: string, at: number, count: number) =>
      `${plural(count, { one: '1 place looks', other: `${number.format(count)} places look` })} secret. ${number.format(at)} of ${number.format(count)}: ${kind}.`,
    done: (hidden: number, count: number) =>
      `${number.format(hidden)} of ${plural(count, { one: '1 place', other: `${number.format(count)} places` })} hidden. Undo brings each back.`,
    hide: 'Hide',
    leave: 'Leave',
    hideRest: 'Hide the rest',
    stop: 'Stop',
    close: 'Close',
    kinds: {
      email: 'an email address',
      phone: 'a phone number',
      card: 'a bank card',
      ip: 'a network address',
      key: 'a key',
      token: 'a token',
      password: 'a password',
      iban: 'a bank account',
    },
  },
};
