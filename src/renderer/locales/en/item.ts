/** English texts of the page of a published item: preview, access, link formats, settings, views and details. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
const views = (count: number): string => `${number.format(count)} ${plural(count, { one: 'view', other: 'views' })}`;
const files = (count: number): string => `${number.format(count)} ${plural(count, { one: 'file', other: 'files' })}`;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export const enItem = {
  reading: 'Loading…',
  unknown: 'This item isn’t in your library',
  unknownText: 'It was removed, or it was shared from another computer. Your items are in the library.',
  removed: (name: string) => `${name} was deleted`,
  removedText: 'Its link no longer works. Your original file is unchanged.',
  toLibrary: 'Go to the library',
  refresh: 'Refresh',
  delete: 'Delete',
  open: 'Open share page',
  unreached: 'Couldn’t reach the server. This is the last known state.',

  access: {
    title: 'Who can open it',
    who: {
      link: { none: 'Anyone with the link', needed: 'Anyone with the link and the password' },
      everyone: { none: 'Everyone', needed: 'Anyone with the password' },
    },
    onlyYou: 'Only you',
    once: 'once',
    times: (left: number) => `${left} more ${plural(left, { one: 'time', other: 'times' })}`,
    noDownload: 'no downloads',
    until: {
      today: (time: string) => `until ${time} today`,
      tomorrow: (time: string) => `until ${time} tomorrow`,
      weekday: (day: number, time: string) => `until ${WEEKDAYS[day] ?? WEEKDAYS[0]} ${time}`,
      date: (date: string) => `until ${date}`,
    },
    gone: 'No one: it’s no longer on the server.',
    deleting: 'No one: it’s being deleted.',
    expired: (at: string) => `No one: the link expired on ${at}.`,
    held: {
      review: 'Only you, while a moderator reviews it.',
      blocked: 'Only you: a moderator blocked it.',
    },
    beingRead: (until: string) => `Only the person who opened it, until ${until}.`,
    consumed: (at: string) => `No one: the one-time link was opened on ${at}.`,
    exhausted: (limit: number) => `No new viewers: view limit reached (${limit} of ${limit}).`,
  },

  state: {
    gone: 'No longer on the server',
    goneText: 'It was deleted on the server or expired. Only this entry remains.',
    expired: 'The link has expired',
    expiredText: 'Expired items are deleted. Share the file again to get a new link.',
    forget: 'Remove from the library',
    held: 'Hidden from everyone but you',
    heldText: 'Nothing is lost. Once a moderator approves it, the link works again.',
    blockedText: 'You can still view and delete it. Contact the server admin for the reason.',
    consumed: 'The one-time link has been used',
    consumedText: 'You can allow one more viewer, or everyone with the link.',
    again: 'Allow one more viewer',
    everyone: 'Allow everyone',
    exhausted: 'View limit reached',
    exhaustedText: 'Raise or remove the limit, and the link works again.',
    noLimit: 'Remove the limit',
    deleting: 'Deleting…',
    deletingText: 'You can still undo this.',
  },

  refused: {
    unknownTitle: 'A change may be incomplete',
    unknown: 'Some items may have changed. The library updates once Linkshot responds again.',
    unanswered: 'The server’s answer was lost, so the change may be complete. Trying again does no harm.',
    leftPrivate: 'Until it’s complete, only you can open the link.',
    title: 'A change was undone',
    kept: 'Nothing was changed on the server.',
    keptSome: (refused: number, asked: number) =>
      `${number.format(refused)} of ${number.format(asked)} items couldn’t be changed. The others were.`,
    chooseThem: 'Select only those',
    retry: 'Try again',
  },

  preview: {
    title: 'Preview',
    picture: (name: string) => `Image ${name}`,
    video: (name: string) => `Video ${name}`,
    zoom: 'Zoom',
    fit: 'Fit',
    actual: '100%',
    closer: 'Zoom in',
    further: 'Zoom out',
    loading: 'Loading…',
    failed: 'Couldn’t load the preview',
    failedText: 'The link still works.',
    retry: 'Try again',
    processing: 'The video is being processed',
    processingText: 'The link already works. The video will be playable soon.',
    mediaFailed: 'The video couldn’t be processed',
    mediaFailedText: 'It can still be downloaded from its share page. Record it again, or share it in another format.',
    none: 'No preview available',
    edit: 'Edit',
    note: 'Text of the note',
    tree: 'Files in the folder',
    files,
    file: (path: string) => `Text of ${path}`,
    pickFile: 'Choose a file to preview it.',
  },

  link: {
    formats: 'All formats',
    copyFormat: (format: string) => `Copy as ${format}`,
    names: {
      plain: 'Link',
      markdown: 'Markdown',
      html: 'HTML',
      bbcode: 'BBCode',
      direct: 'Direct link',
      template: 'Custom',
    },
    qr: 'QR code',
    qrOf: (name: string) => `QR code of the link to ${name}`,
    qrHint: 'Scan with a phone camera to open the link.',
    savePng: 'Save as PNG',
    saveSvg: 'Save as SVG',
  },

  settings: {
    title: 'Link settings',
    name: 'Title',
    tags: 'Tags',
    tagsHint: 'Separated by commas',
    tagsWrong: (most: number, characters: number) => `Use at most ${most} tags of up to ${characters} characters each.`,
    save: 'Save',
    saving: 'Saving…',
    change: 'Change',
    download: 'Downloads',
    downloadHint: 'Viewers can download the file. If off, they can only view it.',
    password: 'Password',
    passwordNone: 'None',
    passwordSet: 'Required to open the link',
    passwordAdd: 'Set a password',
    passwordShort: (least: number, most: number) => `Use ${least} to ${most} characters.`,
    end: 'Expires',
    endNever: 'Never',
    endPast: 'Choose a time in the future.',
    limit: 'View limit',
    limitHint: 'The link stops working after this many views.',
    limitWrong: (most: string) => `Enter a whole number from 1 to ${most}.`,
    remove: 'Remove',
    cancel: 'Cancel',
    needsPlan: (plan: string | null, trial: 'available' | 'none') =>
      plan === null
        ? 'Not included in your plan.'
        : trial === 'available'
          ? `Included in the ${plan} plan, which you can try for free.`
          : `Included in the ${plan} plan.`,
  },

  views: {
    title: 'Views',
    total: views,
    sum: (count: number, days: number) => `${views(count)} in the last ${days} days`,
    none: 'No views in the last 30 days.',
    chart: (days: number) => `Views per day, last ${days} days`,
    day: 'Day',
    count: 'Views',
    needsPlan: 'Every plan shows total views. Daily views need a different plan.',
  },

  details: {
    title: 'Details',
    kind: 'Type',
    file: 'File',
    size: 'Size',
    dimensions: 'Dimensions',
    pixels: (width: number, height: number) => `${width} × ${height}`,
    duration: 'Length',
    codec: 'Video codec',
    sound: 'Audio',
    withSound: 'Yes',
    withoutSound: 'None',
    format: 'Format',
    formats: { plain: 'Plain text', markdown: 'Markdown', code: 'Code' },
    revision: 'Revision',
    revisionText: (revision: number) => (revision === 1 ? 'Original' : `Edited ${times(revision - 1)}`),
    filesIn: 'Files',
    shared: 'Shared',
    access: 'Access',
    accessNever: 'Not changed since it was shared',
    accessChanged: (changes: number) =>
      `Changed ${times(changes)}. Changing the visibility, password or one-time setting revokes access for people who had already opened it. Links you have already shared still work.`,
  },

  history: 'History',
};
