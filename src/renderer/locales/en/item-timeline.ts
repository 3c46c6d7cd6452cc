/**
 * English texts of an item's timeline: how the item was added, prepared, uploaded, interrupted, published, changed and
 * deleted, and where it waited or failed.
 */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const parts = (count: number): string => `${number.format(count)} ${plural(count, { one: 'part', other: 'parts' })}`;
/** `time` null: still ongoing. */
type Lasted = string | null;

export const enItemTimeline = {
  title: 'History',
  empty: 'No history yet.',
  unread: 'Couldn’t load the history.',
  today: 'Today',
  yesterday: 'Yesterday',
  added: {
    window: 'Added',
    capture: 'Captured from the screen',
    recording: 'Recorded from the screen',
    command: 'Added from the command line',
    found: 'Recovered after the queue was damaged',
  },
  withSize: (what: string, size: string) => `${what} (${size})`,
  withoutSize: (what: string) => what,
  made: {
    video: (from: string, to: string) => `Video converted (${from} → ${to})`,
    image: (from: string, to: string) => (from === to ? `Image prepared (${to})` : `Image converted (${from} → ${to})`),
    folder: (_from: string, to: string) => `Folder packed (${to})`,
  },
  read: (size: string, count: number) => `Checksum computed (${size}, ${parts(count)})`,
  begun: (size: string) => `Upload started (${size})`,
  continued: (kept: string, size: string) => `Upload resumed (${kept} of ${size} already uploaded)`,
  sent: (size: string, count: number) => (count === 1 ? `Uploaded (${size})` : `Uploaded (${size}, ${parts(count)})`),
  restarted: {
    source: 'Restarted: the file has changed',
    upload: 'Upload restarted: the server had discarded it',
  },
  interrupted: {
    network: (time: Lasted) => (time === null ? 'Interrupted: no network' : `Interrupted: no network for ${time}`),
    server: (time: Lasted) =>
      time === null ? 'Interrupted: the server isn’t responding' : `Interrupted: the server didn’t respond for ${time}`,
    file: (time: Lasted) =>
      time === null ? 'Interrupted: the file can’t be read' : `Interrupted: the file couldn’t be read for ${time}`,
    app: (time: Lasted) =>
      time === null ? 'Interrupted by an error in Linkshot' : `Interrupted for ${time} by an error in Linkshot`,
    sleep: (time: Lasted) =>
      time === null ? 'Interrupted: the computer was asleep' : `Interrupted for ${time}: the computer was asleep`,
    closed: (time: Lasted) => (time === null ? 'Linkshot was closed' : `Linkshot was closed for ${time}`),
    killed: (_time: Lasted) => 'Linkshot quit unexpectedly and resumed here',
  },
  waited: {
    server: (time: Lasted) => (time === null ? 'Waiting: the server is busy' : `Waited ${time}: the server was busy`),
    limit: (time: Lasted) =>
      time === null
        ? 'Waiting: the account’s upload limit is reached'
        : `Waited ${time}: the account’s upload limit was reached`,
    offline: (time: Lasted) =>
      time === null ? 'Waiting for a connection to the server' : `Waited ${time} for a connection to the server`,
    account: (time: Lasted) =>
      time === null
        ? 'Waiting for its account to be connected again'
        : `Waited ${time} for its account to be connected`,
  },
  failed: (what: string) => `Stopped: ${what}`,
  wentOn: (time: string) => `Resumed after ${time}.`,
  kept: (kept: string, size: string) => `${kept} of ${size} was kept.`,
  keptParts: (kept: number, count: number) =>
    `${number.format(kept)} of ${parts(count)} ${plural(kept, { one: 'was', other: 'were' })} kept.`,
  keptAll: 'Everything was already on the server.',
  times: (count: number) => `${count} attempts.`,
  paused: {
    item: (time: Lasted) => (time === null ? 'Paused by you' : `Paused by you for ${time}`),
    queue: (time: Lasted) => (time === null ? 'Queue paused by you' : `Queue paused by you for ${time}`),
  },
  changed: (what: string) => `Changed by you: ${what}`,
  changes: {
    title: (title: string) => `title “${title}”`,
    noTitle: 'no title',
    tags: (tags: string) => `tags ${tags}`,
    noTags: 'no tags',
    visibility: { private: 'only you can open it', unlisted: 'anyone with the link', public: 'public' },
    oneTime: 'opens once',
    manyTimes: 'opens any number of times',
    ttl: { forever: 'no expiry', day: 'for a day', week: 'for a week', month: 'for a month' },
    until: (date: string) => `until ${date}`,
    noEnd: 'no expiry',
    views: (count: number) => plural(count, { one: `${count} view at most`, other: `${count} views at most` }),
    anyViews: 'unlimited views',
    download: 'downloads allowed',
    noDownload: 'no downloads',
    passwordSet: 'with a password',
    passwordRemoved: 'without a password',
  },
  published: 'Link created',
  delivered: { copied: 'Link copied to the clipboard', shown: 'Link ready' },
  copied: (count: number) => (count === 1 ? 'Link copied' : `Link copied ${count} times`),
  edited: (count: number) => (count === 1 ? 'Edited by you' : `Edited by you ${count} times`),
  deleted: 'Deleted by you',
  undone: 'Deletion undone',
  gone: 'No longer on the server',
  summed: (count: number) => `${count} more ${plural(count, { one: 'step', other: 'steps' })}`,
};
