/** Writing notes and editing published ones. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const characters = (count: number): string =>
  `${number.format(count)} ${plural(count, { one: 'character', other: 'characters' })}`;

export const enNote = {
  opening: 'Opening…',
  newTitle: 'New note',
  editTitle: 'Edit note',
  publish: 'Publish',
  save: 'Save',
  discard: 'Discard the draft',
  discardChanges: 'Discard the changes',
  itemSettings: 'Link settings',
  edit: 'Edit',
  editNamed: (name: string) => `Edit ${name}`,
  write: 'New note',

  title: 'Title',
  titleHint: 'The first line, if left empty',
  text: 'Text',
  empty: 'Write or paste something',
  preview: 'Preview',
  view: 'Show',
  previewEmpty: 'What you write appears here as people will see it.',
  addressCopied: (address: string) => `Address copied: ${address}`,
  previewGivenUp: 'This text takes too long to be shown here. Its page will show it.',
  kind: 'Kind of text',
  formats: { plain: 'Plain text', markdown: 'Markdown', code: 'Code' },
  guessed: (kind: string) => `${kind}, guessed`,
  wrap: 'Wrap lines',
  find: 'Find',
  length: (lines: number, count: number) =>
    `${number.format(lines)} ${plural(lines, { one: 'line', other: 'lines' })} · ${characters(count)}`,
  left: (count: number) => `room for ${number.format(count)} more`,
  tooLong: (count: number, over: number) =>
    `${characters(count)}: that is ${number.format(over)} more than a note takes. Shorten it, or share it as a file.`,
  leaveHint: 'Tab indents. To leave the text, press Esc and then Tab.',
  tabIsFree: 'Tab now leaves the text. Esc once more goes back; the draft is kept.',

  kept: {
    saving: 'Saving the draft…',
    saved: 'Draft saved',
    restored: 'Your draft is back',
    published: 'Saved. The link shows this text.',
    failed: 'The draft is not saved',
    tooLong: 'Too long to be kept as a draft',
  },
  troubleKept: 'Your text is kept as a draft on this computer.',
  gone: 'This note is no longer there',
  goneKept: 'It was deleted or has expired. What you wrote is kept as a draft on this computer.',
  goneNothing: 'It was deleted or has expired, and nothing of it is left on this computer.',
  publishAnew: 'Publish as a new note',
  copyText: 'Copy the text',
  aside: {
    discarded: 'Discarded.',
    mine: 'The published version stays. Yours was set aside.',
    theirs: 'Your version is published. The other one was set aside.',
  },
  undo: 'Undo',
  bringBack: 'Bring it back as a draft',

  link: 'Link settings',
  withPassword: 'password',
  password: 'Password',
  passwordNone: 'None',
  passwordShort: 'A password has 8 to 128 characters.',
  passwordHint: 'Whoever opens the link is asked for it. It is never part of the draft.',
  passwordShow: 'Show the password',
  passwordHide: 'Hide the password',

  conflict: {
    title: 'Two versions of this note',
    happened: 'The note was changed elsewhere while you were writing',
    advice: 'Nothing is lost: both versions are here. Choose one, or put them together in yours, then save.',
    saves: 'What will be saved',
    mine: 'Mine',
    theirs: 'The published one',
    both: 'Put together',
    mineName: 'Yours, to be saved',
    theirsName: 'Published now',
    takePart: 'Take this part over',
  },

  phrases: {
    Find: 'Find',
    Replace: 'Replace with',
    next: 'Next',
    previous: 'Previous',
    all: 'All',
    'match case': 'Match case',
    'by word': 'Whole words',
    regexp: 'Regular expression',
    replace: 'Replace',
    'replace all': 'Replace all',
    close: 'Close',
    'current match': 'current match',
    'on line': 'on line',
    'replaced match on line $': 'replaced match on line $',
    'replaced $ matches': 'replaced $ matches',
    'Go to line': 'Go to line',
    go: 'Go',
    'Control character': 'Control character',
    'Selection deleted': 'Selection deleted',
    '$ unchanged lines': '$ unchanged lines',
    Accept: 'Keep mine',
    Reject: 'Take theirs',
    to: 'to',
  },
};
