/** Review of a folder before it is shared. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const files = (count: number): string => `${number.format(count)} ${plural(count, { one: 'file', other: 'files' })}`;

export const enFolder = {
  choose: 'Choose a folder',
  screen: 'Share a folder',
  unnamed: 'A folder',
  lead: 'Look at what goes. Nothing of it has left this computer yet.',
  reading: {
    counting: (found: number) => `Looking through the folder: ${files(found)} so far`,
    judging: (found: number) => `Reading ${files(found)}`,
    label: (name: string) => `Reading ${name}`,
    stop: 'Stop',
  },
  lost: {
    title: 'This folder is no longer at hand',
    text: 'The page was loaded anew, or the folder was shared already. Add it again to look at it.',
  },
  empty: 'This folder is empty',
  emptyText: 'There is no file in it. Choose another one.',
  several: (count: number) => `${count} ${plural(count, { one: 'folder waits', other: 'folders wait' })} to be shared`,
  totals: {
    title: 'Size and limits',
    files: 'Files',
    text: 'Text',
    archive: 'Archive, at most',
    room: 'Free in your account',
    of: (some: string, most: string) => `${some} of ${most}`,
    more: (most: string) => `more than ${most}`,
    unread: (count: number) => `${files(count)} not looked into, because the limit was reached before.`,
  },
  over: {
    biggest: (folders: string) => `Most of it lies in ${folders}.`,
    how: 'Share a part of the folder, or leave more out with a line in its .gitignore, then look again.',
    room: 'The account has not enough space for it',
    roomText: 'Delete items that you no longer need, or share a part of the folder.',
  },
  complexIgnore: 'The .gitignore is too complicated to be followed, so none of its lines counts. Look at what goes.',
  out: {
    title: 'Stays on this computer',
    none: 'Everything in this folder goes.',
    count: (count: number, folders: number) =>
      [
        ...(count > 0 ? [files(count)] : []),
        ...(folders > 0 ? [`${folders} whole ${plural(folders, { one: 'folder', other: 'folders' })}`] : []),
      ].join(', '),
    rule: (pattern: string, file: string, line: number) => `“${pattern}” in ${file}, line ${line}`,
    reasons: {
      service: { title: 'Version control', text: 'What git or an editor keeps for itself.' },
      dependencies: { title: 'Dependencies', text: 'Anyone can install them again.' },
      build: { title: 'Build output', text: 'It is made from the code and can be made again.' },
      secret: {
        title: 'Secrets',
        text: 'Keys, passwords and tokens are protected: they never leave this computer.',
      },
      gitignore: {
        title: 'Ignored by git',
        text: 'A line of an ignore file leaves it out, or it is the .gitignore itself.',
      },
      name: { title: 'Names Windows refuses', text: 'Not every computer could store a file of this name.' },
      path: {
        title: 'Too deep or too long',
        text: 'More than 20 folders deep, or a path of more than 200 characters.',
      },
      large: { title: 'Large files', text: 'A file of code may have 512 KB. Share larger ones on their own.' },
      binary: { title: 'Not text', text: 'Only text is shown. Share pictures and videos on their own.' },
      duplicate: { title: 'Same name twice', text: 'The name differs from another one only by upper and lower case.' },
      link: { title: 'Links', text: 'Links of the file system are not followed: they could lead anywhere.' },
      special: { title: 'Devices and pipes', text: 'They are no files.' },
      unreadable: { title: 'Cannot be read', text: 'Check the permissions, then look again.' },
      encoding: { title: 'Unreadable names', text: 'The name is not UTF-8.' },
      repository: { title: 'Other repositories', text: 'A submodule or a repository inside: share it on its own.' },
    },
    secrets: (count: number) =>
      `${count} ${plural(count, { one: 'secret is', other: 'secrets are' })} protected and will not leave this computer.`,
  },
  tree: {
    label: (name: string) => `Files of ${name}`,
    filter: 'Show',
    filters: { all: 'All', goes: 'What goes', out: 'What stays out' },
    search: 'Find a file',
    nothing: 'No file is found like this.',
    showAll: 'Show all',
    stays: 'stays out:',
    inFolder: (count: number) => files(count),
    open: 'Open all folders',
    close: 'Close all folders',
  },
  link: {
    title: 'Link',
    name: 'Title',
  },
  share: (count: number, size: string) => `Share ${files(count)}, ${size}`,
  sharing: (percent: string) => `Handing over… ${percent}`,
  decline: 'Do not share',
  again: 'Look again',
  stays: (amount: string) => `Stays on this computer: ${amount}.`,
  blocked: {
    limits: 'It is over a limit: see below.',
    empty: 'There is nothing in it that can be shared.',
  },
};
