/**
 * English texts of copying the text of a picture, of showing its QR codes and barcodes, and of searching it for
 * secrets.
 */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const words = (count: number): string => `${number.format(count)} ${plural(count, { one: 'word', other: 'words' })}`;

export const enPictureText = {
  copyText: 'Copy text',
  copyTextOf: (name: string) => `Copy the text in ${name}`,
  text: 'Select text',
  textOf: (name: string) => `Text in ${name}`,
  selectable: (count: number) => `${words(count)} can be selected and copied. Drag over the image to select them.`,
  nothingToSelect: 'No text found.',
  selectAll: 'Select all text',
  allSelected: 'All text is selected. Press Ctrl+C to copy it.',
  reading: 'Reading the text…',
  progress: 'Text recognition progress',
  cancel: 'Cancel',
  copied: (count: number) => `${words(count)} copied`,
  waits: (count: number) => `${words(count)} not copied yet`,
  waitsHint: 'Click anywhere on this page to copy them.',
  refused: 'Couldn’t copy the text',
  copy: 'Copy',
  nothing: 'No text found',
  nothingHint: 'The image was read on this computer. Nothing was copied.',
  onlyCodes: (count: number) =>
    plural(count, { one: 'No text found, only a code', other: `No text found, only ${count} codes` }),
  onlyCodesHint: 'Nothing was copied or opened.',
  withoutRussian:
    'Russian text isn’t recognised because its language data isn’t installed. On Debian and Ubuntu, install the package tesseract-ocr-rus.',
  showCodes: (count: number) => plural(count, { one: 'Show the code', other: `Show ${count} codes` }),
  codes: (count: number) => plural(count, { one: 'Code in the image', other: 'Codes in the image' }),
  qrCode: 'QR code',
  otherCode: (format: string) => `Code (${format})`,
  opens: (host: string) => `Leads to ${host}`,
  open: 'Open in the browser',
  copyCode: 'Copy the code’s contents',
  secrets: {
    find: 'Find secrets',
    looking: 'Looking for what looks secret…',
    failed: 'The image couldn’t be checked. Look for secrets yourself before you share it.',
    nothing: 'Nothing looks secret. No program finds everything: look at the image before you share it.',
    place: (kind: string, at: number, count: number) =>
      `${plural(count, { one: '1 place looks', other: `${number.format(count)} places look` })} secret. ${number.format(at)} of ${number.format(count)}: ${kind}.`,
    done: (hidden: number, count: number) =>
      `${number.format(hidden)} of ${plural(count, { one: '1 place', other: `${number.format(count)} places` })} hidden. Undo brings each back.`,
    hide: 'Hide',
    leave: 'Leave',
    hideRest: 'Hide the rest',
    again: 'Try again',
    looked: 'I’ve looked at it',
    held: 'Decide about each place before you share it.',
    heldOnce: 'Decide about each place, or press Share again to send it as it is.',
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
