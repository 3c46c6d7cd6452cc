/** Page of a published item: preview, access, link formats and settings. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const times = (count: number): string => `${count} ${plural(count, { one: 'time', other: 'times' })}`;
const views = (count: number): string => `${number.format(count)} ${plural(count, { one: 'view', other: 'views' })}`;
const files = (count: number): string => `${number.format(count)} ${plural(count, { one: 'file', other: 'files' })}`;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export const enItem = {
  reading: 'Looking it up…',
  unknown: 'This item is not in your library',
  unknownText: 'It was removed, or it belongs to another computer. Everything that you have is in the library.',
  removed: (name: string) => `${name} is deleted`,
  removedText: 'Its link leads nowhere any more. Your own file was not touched.',
  toLibrary: 'Go to the library',
  refresh: 'Ask the service how it is now',
  delete: 'Delete',
  open: 'Open in the browser',
  unreached: 'The service could not be asked just now. You see what this computer remembers.',

  access: {
    title: 'Who can open it',
    who: {
      link: { none: 'Anyone with the link', needed: 'Anyone with the link and the password' },
      everyone: { none: 'Everyone', needed: 'Everyone who has the password' },
    },
    onlyYou: 'Only you',
    once: 'once',
    times: (left: number) => `${left} more ${plural(left, { one: 'time', other: 'times' })}`,
    noDownload: 'without downloading it',
    until: {
      today: (time: string) => `until ${time} today`,
      tomorrow: (time: string) => `until ${time} tomorrow`,
      weekday: (day: number, time: string) => `until ${WEEKDAYS[day] ?? WEEKDAYS[0]} ${time}`,
      date: (date: string) => `until ${date}`,
    },
    gone: 'Nobody: the service does not have it any more.',
    deleting: 'Nobody in a moment: it is being deleted.',
    expired: (at: string) => `Nobody any more: the link ended on ${at}.`,
    held: {
      review: 'Only you for now: a moderator of the service is looking at it.',
      blocked: 'Only you: a moderator of the service has blocked it.',
    },
    beingRead: (until: string) => `Whoever has opened it just now, until ${until}; nobody else any more.`,
    consumed: (at: string) => `Nobody any more: it was opened once, on ${at}.`,
    exhausted: (limit: number) =>
      `Nobody new: ${plural(limit, { one: 'its one view is', other: `all ${limit} views are` })} used up.`,
  },

  state: {
    gone: 'The service does not have it any more',
    goneText: 'It was deleted there, or its time was over. This entry is all that is left of it here.',
    expired: 'The link has ended',
    expiredText: 'The service deletes what has ended. Share the file once more to get a new link.',
    forget: 'Remove from the library',
    held: 'It is hidden from everyone but you',
    heldText: 'Nothing is lost. When the moderators let it pass, the same link works again.',
    blockedText: 'You can still see and delete it. Ask the operator of the service about the reason.',
    consumed: 'The one-time link was used',
    consumedText: 'You can let one more person in with the same link, or everyone who has it.',
    again: 'Let one more person in',
    everyone: 'Let everyone in',
    exhausted: 'All views are used up',
    exhaustedText: 'Raise the limit or take it away, and the same link works again.',
    noLimit: 'Take the limit away',
    deleting: 'It is being deleted',
    deletingText: 'You can still take that back.',
  },

  refused: {
    unknownTitle: 'A change may have stopped halfway',
    unknown: 'Some of it may have reached the service; the library shows what did as soon as Linkshot answers again.',
    title: 'A change was taken back',
    kept: 'Nothing was changed on the service; what you see is what it has.',
    keptSome: (refused: number, asked: number) =>
      `${number.format(refused)} of ${number.format(asked)} items stayed as they were; the others are changed.`,
    chooseThem: 'Choose only those',
    retry: 'Try again',
  },

  preview: {
    title: 'Preview',
    picture: (name: string) => `Picture ${name}`,
    video: (name: string) => `Video ${name}`,
    zoom: 'Size of the picture',
    fit: 'Fit',
    actual: '100%',
    closer: 'Larger',
    further: 'Smaller',
    loading: 'Loading…',
    failed: 'The preview could not be loaded',
    failedText: 'The link is not affected by this.',
    retry: 'Try again',
    processing: 'The service is preparing the video',
    processingText: 'The link works already; the video can be played in a moment.',
    mediaFailed: 'The service could not prepare the video for playing',
    mediaFailedText: 'It can still be downloaded from its page. Record it again, or share it in another format.',
    none: 'There is nothing to show any more',
    edit: 'Edit',
    note: 'Text of the note',
    tree: 'Files of the folder',
    files,
    file: (path: string) => `Text of ${path}`,
    pickFile: 'Choose a file to see what is in it.',
  },

  link: {
    formats: 'All formats',
    copyFormat: (format: string) => `Copy as ${format}`,
    names: {
      plain: 'Link',
      markdown: 'Markdown',
      html: 'HTML',
      bbcode: 'BBCode',
      direct: 'File',
      template: 'My template',
    },
    qr: 'QR code',
    qrOf: (name: string) => `QR code of the link to ${name}`,
    qrHint: 'A telephone’s camera opens the link.',
    savePng: 'Save as PNG',
    saveSvg: 'Save as SVG',
  },

  settings: {
    title: 'Settings of the link',
    name: 'Title',
    tags: 'Tags',
    tagsHint: 'Separated by commas',
    tagsWrong: (most: number, characters: number) => `At most ${most} tags, each of at most ${characters} characters.`,
    save: 'Save',
    saving: 'Being saved…',
    change: 'Change',
    download: 'Downloads',
    downloadHint: 'Viewers may save the file. Without this they can only look at it.',
    password: 'Password',
    passwordNone: 'Nobody is asked for one.',
    passwordSet: 'Whoever opens the link is asked for it.',
    passwordAdd: 'Set a password',
    passwordShort: (least: number, most: number) => `A password has ${least} to ${most} characters.`,
    end: 'Ends at',
    endNever: 'Never',
    endPast: 'Choose a time in the future.',
    limit: 'View limit',
    limitHint: 'After so many views the link is closed.',
    limitWrong: (most: string) => `Enter a whole number from 1 to ${most}.`,
    remove: 'Remove',
    cancel: 'Cancel',
    needsPlan: (plan: string | null, trial: 'available' | 'none') =>
      plan === null
        ? 'Your plan does not have this.'
        : trial === 'available'
          ? `This comes with the plan ${plan}, which you can try for free.`
          : `This comes with the plan ${plan}.`,
  },

  views: {
    title: 'Views',
    total: views,
    sum: (count: number, days: number) => `${views(count)} in the last ${days} days`,
    none: 'Nobody has opened it in the last 30 days.',
    chart: (days: number) => `Views by day, the last ${days} days`,
    day: 'Day',
    count: 'Views',
    needsPlan: 'How often it was opened is counted on every plan; the views of each day are not.',
  },

  details: {
    title: 'Details',
    kind: 'Kind',
    file: 'File',
    size: 'Size',
    dimensions: 'Dimensions',
    pixels: (width: number, height: number) => `${width} × ${height}`,
    duration: 'Length',
    codec: 'Video codec',
    sound: 'Sound',
    withSound: 'Yes',
    withoutSound: 'None',
    format: 'Format',
    formats: { plain: 'Plain text', markdown: 'Markdown', code: 'Code' },
    revision: 'Revision',
    revisionText: (revision: number) =>
      revision === 1 ? 'As it was published' : `Edited ${times(revision - 1)} since it was published`,
    filesIn: 'Files',
    shared: 'Shared',
    access: 'Access',
    accessNever: 'Never changed since it was shared',
    accessChanged: (changes: number) =>
      `Changed ${times(changes)}. Each change of visibility, password or “only once” closes it for those who had opened it before; the old links lead here too.`,
  },

  history: 'History',
};
