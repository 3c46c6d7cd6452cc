/** Timeline events. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const parts = (count: number): string => `${number.format(count)} ${plural(count, { one: 'part', other: 'parts' })}`;
/** `time` null: still ongoing. */
type Lasted = string | null;

export const enTimeline = {
  title: 'What happened',
  empty: 'Nothing was written down of this item yet.',
  unread: 'What happened could not be read.',
  today: 'Today',
  yesterday: 'Yesterday',
  added: {
    window: 'Added in the window',
    capture: 'Captured from the screen',
    recording: 'Recorded from the screen',
    command: 'Handed over by another program',
    found: 'Found again after the list of uploads was damaged',
  },
  withSize: (what: string, size: string) => `${what}: ${size}.`,
  withoutSize: (what: string) => `${what}.`,
  made: {
    video: (from: string, to: string) => `Video made to fit: ${from} became ${to}.`,
    image: (from: string, to: string) => `Picture made ready: ${from} became ${to}.`,
    folder: (_from: string, to: string) => `Folder packed into ${to}.`,
  },
  read: (size: string, count: number) => `Read and checked: ${size} in ${parts(count)}.`,
  begun: (size: string) => `Upload begun: ${size} to send.`,
  continued: (kept: string, size: string) => `Upload begun: ${kept} of ${size} were there already.`,
  sent: (size: string, count: number) =>
    count === 1 ? `Arrived on the server: ${size}.` : `All ${parts(count)} have arrived on the server: ${size}.`,
  anew: {
    source: 'Begun anew, because the file to send is another one now.',
    upload: 'Upload begun anew, because the server had given it up. The file need not be read again.',
  },
  interrupted: {
    network: (time: Lasted) =>
      time === null ? 'Interrupted: the network is gone.' : `Interrupted: the network was gone for ${time}.`,
    server: (time: Lasted) =>
      time === null
        ? 'Interrupted: the server does not answer.'
        : `Interrupted: the server did not answer for ${time}.`,
    file: (time: Lasted) =>
      time === null ? 'Interrupted: the file cannot be read.' : `Interrupted: the file could not be read for ${time}.`,
    app: (time: Lasted) =>
      time === null ? 'Interrupted by a fault of Linkshot.' : `Interrupted for ${time} by a fault of Linkshot.`,
    sleep: (time: Lasted) =>
      time === null ? 'Interrupted: the computer slept.' : `Interrupted: the computer slept. It went on after ${time}.`,
    closed: (time: Lasted) => (time === null ? 'Linkshot was closed.' : `Linkshot was closed for ${time}.`),
    killed: (_time: Lasted) => 'Linkshot had quit without warning, and went on here.',
  },
  waited: {
    server: (time: Lasted) =>
      time === null ? 'Waiting, because the server is busy.' : `Waited ${time}, because the server was busy.`,
    limit: (time: Lasted) =>
      time === null
        ? 'Waiting, because the account does enough at once.'
        : `Waited ${time}, because the account did enough at once.`,
    offline: (time: Lasted) =>
      time === null ? 'Waiting for a connection to the server.' : `Waited ${time} for a connection to the server.`,
    account: (time: Lasted) =>
      time === null
        ? 'Waiting until its account is connected again.'
        : `Waited ${time} until its account was connected.`,
  },
  failed: (what: string) => `Stopped: ${what}`,
  wentOn: (time: string) => `It went on after ${time}.`,
  kept: (kept: string, size: string) => `${kept} of ${size} were kept.`,
  keptParts: (kept: number, count: number) => `${kept} of ${parts(count)} were kept.`,
  keptAll: 'All of it was on the server already.',
  times: (count: number) => `Tried ${count} times.`,
  paused: {
    item: (time: Lasted) => (time === null ? 'Paused by you.' : `Paused by you for ${time}.`),
    queue: (time: Lasted) =>
      time === null ? 'Paused by you with the whole queue.' : `Paused by you with the whole queue for ${time}.`,
  },
  changed: (what: string) => `Changed by you: ${what}.`,
  changes: {
    title: (title: string) => `title “${title}”`,
    noTitle: 'no title',
    tags: (tags: string) => `tags ${tags}`,
    noTags: 'no tags',
    visibility: { private: 'only you can open it', unlisted: 'anyone with the link', public: 'public' },
    oneTime: 'opens once',
    manyTimes: 'opens more than once',
    ttl: { forever: 'without an end', day: 'for a day', week: 'for a week', month: 'for a month' },
    until: (date: string) => `until ${date}`,
    noEnd: 'without an end',
    views: (count: number) => plural(count, { one: `${count} view at most`, other: `${count} views at most` }),
    anyViews: 'any number of views',
    download: 'download allowed',
    noDownload: 'no download',
    passwordSet: 'with a password',
    passwordRemoved: 'without a password',
  },
  published: 'Published.',
  told: { copied: 'The link is on your clipboard.', shown: 'The link is ready.' },
  copied: (count: number) => (count === 1 ? 'Link copied.' : `Link copied ${count} times.`),
  edited: (count: number) => (count === 1 ? 'Edited by you.' : `Edited by you ${count} times.`),
  deleted: 'Deleted by you.',
  undone: 'The deletion was taken back.',
  gone: 'The server has it no more.',
  summed: (count: number) => `${count} more steps.`,
};
