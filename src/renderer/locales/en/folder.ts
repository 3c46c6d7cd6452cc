/** English texts of the review of a folder before it is shared. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const files = (count: number): string => `${number.format(count)} ${plural(count, { one: 'file', other: 'files' })}`;

export const enFolder = {
  choose: 'Choose folder',
  screen: 'Share a folder',
  unnamed: 'A folder',
  lead: 'Review what will be shared. Nothing has been uploaded yet.',
  reading: {
    counting: (found: number) => `Scanning the folder: ${files(found)} so far`,
    judging: (found: number) => `Reading ${files(found)}`,
    label: (name: string) => `Reading ${name}`,
    stop: 'Stop',
  },
  lost: {
    title: 'This folder is no longer available',
    text: 'The page was reloaded, or the folder was already shared. Add it again to review it.',
  },
  empty: 'This folder is empty',
  emptyText: 'It contains no files. Choose another one.',
  several: (count: number) => `${count} ${plural(count, { one: 'folder', other: 'folders' })} to review`,
  totals: {
    title: 'Size and limits',
    files: 'Files',
    text: 'Text',
    archive: 'Archive (max.)',
    room: 'Account storage',
    of: (some: string, most: string) => `${some} of ${most}`,
    ofFree: (some: string, most: string) => `${some}, ${most} free`,
    more: (most: string) => `more than ${most}`,
    unread: (count: number) => `${files(count)} not scanned because a limit was reached.`,
  },
  over: {
    biggest: (folders: string) => `Most of it is in ${folders}.`,
    how: 'Share part of the folder, or exclude more files in its .gitignore, then rescan.',
    room: 'Not enough storage in your account',
    roomText: 'Delete items you no longer need, or share part of the folder.',
  },
  ignoreUnsure: 'Some of git’s rules may be missing',
  missedIgnore:
    'The browser can’t read git’s rules outside this folder, such as those of folders above it or in your settings. Check what will be shared, add the whole repository, or use the app or the command line.',
  complexIgnore: 'The .gitignore is too complex and was ignored. Check what will be shared.',
  out: {
    title: 'Excluded',
    none: 'Nothing is excluded.',
    count: (count: number, folders: number) =>
      [
        ...(count > 0 ? [files(count)] : []),
        ...(folders > 0 ? [`${folders} whole ${plural(folders, { one: 'folder', other: 'folders' })}`] : []),
      ].join(', '),
    rule: (pattern: string, file: string, line: number) => `“${pattern}” in ${file}, line ${line}`,
    reasons: {
      service: { title: 'Version control', text: 'Internal data of git or an editor.' },
      dependencies: { title: 'Dependencies', text: 'They can be reinstalled.' },
      build: { title: 'Build output', text: 'It can be rebuilt from the code.' },
      secret: {
        title: 'Secrets',
        text: 'Keys, passwords and tokens never leave this computer.',
      },
      gitignore: {
        title: 'Ignored by git',
        text: 'Excluded by an ignore file, or the .gitignore itself.',
      },
      name: { title: 'Names not allowed on Windows', text: 'Not every computer can store a file with this name.' },
      path: {
        title: 'Too deep or too long',
        text: 'More than 20 folders deep, or a path of more than 200 characters.',
      },
      large: { title: 'Large files', text: 'Code files can be up to 512 KB. Share larger files separately.' },
      binary: { title: 'Not text', text: 'Only text is included. Share images and videos separately.' },
      duplicate: { title: 'Duplicate names', text: 'The name differs from another one only in case.' },
      link: { title: 'Symbolic links', text: 'They aren’t followed, because they could point anywhere.' },
      special: { title: 'Devices and pipes', text: 'They aren’t files.' },
      unreadable: { title: 'Unreadable', text: 'Check the permissions, then rescan.' },
      encoding: { title: 'Unreadable names', text: 'The name isn’t UTF-8.' },
      repository: { title: 'Other repositories', text: 'A submodule or nested repository. Share it separately.' },
    },
    secrets: (count: number) =>
      `${count} ${plural(count, { one: 'secret is', other: 'secrets are' })} excluded and won’t leave this computer.`,
  },
  tree: {
    label: (name: string) => `Files in ${name}`,
    filter: 'Show',
    filters: { all: 'All', goes: 'Included', out: 'Excluded' },
    search: 'Find a file',
    nothing: 'No files found.',
    showAll: 'Show all',
    stays: 'excluded:',
    inFolder: (count: number) => files(count),
    open: 'Expand all folders',
    close: 'Collapse all folders',
  },
  link: {
    title: 'Link',
    name: 'Title',
  },
  share: (count: number, size: string) => `Share ${files(count)}, ${size}`,
  sharing: (percent: string) => `Preparing… ${percent}`,
  decline: 'Cancel',
  again: 'Rescan',
  stays: (amount: string) => `Excluded: ${amount}.`,
  blocked: {
    limits: 'A limit is exceeded. See below.',
    empty: 'It has no files that can be shared.',
  },
};
