/** English catalogue of the window. Its type is the schema of every other catalogue. */

import { enCapture } from './en/capture.ts';
import { enCaptureSettings } from './en/capture-settings.ts';
import { enEditor } from './en/editor.ts';
import { enFailed } from './en/error-boundary.ts';
import { enFit } from './en/fit.ts';
import { enFolder } from './en/folder.ts';
import { enHotkeys } from './en/hotkeys.ts';
import { enItem } from './en/item.ts';
import { enLibrary } from './en/library.ts';
import { enNote } from './en/note.ts';
import { enOverlay } from './en/overlay.ts';
import { enPalette } from './en/palette.ts';
import { enPanels } from './en/panels.ts';
import { enRecording } from './en/recording.ts';
import { enSettingsMore } from './en/settings-more.ts';
import { enStatus } from './en/status.ts';
import { enTimeline } from './en/timeline.ts';
import { enWelcome } from './en/welcome.ts';
import type { ErrorTexts } from './errors.ts';
import { enErrors } from './errors-en.ts';
import { createPlural } from './plural.ts';

const plural = createPlural('en');
const files = (count: number): string => `${count} ${plural(count, { one: 'file', other: 'files' })}`;

export const en = {
  app: {
    name: 'Linkshot',
    navigation: 'Main',
    home: 'Home',
    library: 'Library',
    settings: 'Settings',
    skipToContent: 'Skip to content',
    starting: 'Starting…',
    unanswered: 'The window cannot reach Linkshot.',
    unansweredAdvice: 'Check that Linkshot is still running, then try again. Your queue is kept safe on this computer.',
    tryAgain: 'Try again',
    linkDown: 'Linkshot does not answer',
    linkDownAdvice:
      'If it was closed, start it again and use the window that opens: the queue goes on where it stopped.',
    linkRefused: 'This page belongs to an earlier start of Linkshot',
    linkRefusedAdvice: 'Open the address that Linkshot printed when it was started last.',
    titleProgress: (percent: string, left: number) => `${percent} · ${left} left`,
    messages: 'Messages',
    close: 'Close',
    dismiss: 'Dismiss',
    details: 'Technical details',
    notices: 'Notices',
  },

  intake: {
    title: 'Drop anything here',
    hint: 'Pictures, videos, text and folders of code become a share link. Drop several at once.',
    choose: 'Choose files',
    paste: 'Paste',
    dropTitle: 'Let go to share',
    dropHint: 'The link is ready as soon as the upload is done.',
    states: {
      waiting: 'Waiting to be received',
      sending: 'Receiving…',
      looking: 'Looking at the video…',
      asking: 'Waiting for your choice',
      failed: 'Not received',
    },
    received: (sent: string, total: string) => `${sent} of ${total}`,
    cancel: (name: string) => `Do not upload ${name}`,
    retry: 'Try again',
    remove: 'Remove',
    keptNothing: 'Nothing was taken over yet; your file is untouched.',
    pastedName: (stamp: string) => `Pasted image ${stamp}`,
  },

  fit: enFit,

  notes: {
    linkCopied: (name: string) => `Link to ${name} copied`,
    linksCopied: (count: number) => `${count} ${plural(count, { one: 'link', other: 'links' })} copied`,
    deleted: (count: number) => `${count} ${plural(count, { one: 'item', other: 'items' })} deleted`,
    linkReady: (name: string) => `Link to ${name} is ready`,
    linkReadyHint: 'Press Copy to put it on the clipboard.',
    copied: 'Copied',
    copyRefused: 'The link could not be copied',
    copyRefusedHint: 'Select the link and press Ctrl+C.',
    pictureCopied: 'Picture copied',
    pictureCopiedHint: 'Paste it wherever you like.',
    pictureWaits: 'The picture waits to be copied',
    pictureWaitsHint: 'Click into this page once: a browser copies only where you are.',
    pasteStays: 'Nothing was pasted',
    pasteStaysHint:
      'The editor takes text. To share a copied picture or file, go back to the window and paste it there.',
    addressDropped: 'That was a web address, not a file',
    addressDroppedHint: 'Save the picture or video first, then drop the saved file.',
    folderEmpty: 'There is no file in this folder',
    folderEmptyHint: 'Choose another one.',
    wordsMissing: 'The other language could not be loaded',
    wordsMissingHint: 'Your choice is kept; until then the window speaks this one.',
    textPasted: 'Share the text of the clipboard?',
    shareText: 'Share as a note',
    clipboardEmpty: 'There is no picture and no text on the clipboard',
    clipboardEmptyHint: 'Copy one first. Files can be pasted with Ctrl+V.',
    clipboardRefused: 'The browser did not allow reading the clipboard',
    clipboardRefusedHint: 'Press Ctrl+V instead.',
    moved: (name: string, position: number, total: number) => `${name} is now ${position} of ${total}`,
  },

  queue: {
    title: 'Queue',
    summary: (count: number, bytes: string) => `${files(count)} · ${bytes}`,
    pauseAll: 'Pause all',
    resumeAll: 'Resume all',
    pausedHint: 'The queue is paused. Everything done so far is kept.',
    finished: 'Finished',
    copyAll: 'Copy all links',
    clearFinished: 'Clear list',
    clearHint: 'They stay in the library.',
    tryOut: 'This is the try-out: links open on this computer only, while Linkshot runs.',
    tryOutAction: 'Connect to a server',
    progress: (name: string) => `Progress of ${name}`,
    amount: (done: string, total: string) => `${done} of ${total}`,
    timeLeft: (time: string) => `${time} left`,
    phase: {
      waiting: 'Waiting for its turn',
      offline: 'Waiting for a connection',
      preparing: 'Making it fit',
      hashing: 'Checking the file',
      sending: 'Uploading',
      completing: 'Making the link',
      paused: 'Paused',
      queuePaused: 'Queue is paused',
      retrying: 'Trying again soon',
      stuck: 'Needs your attention',
      cancelling: 'Cancelling',
      linked: 'Link is ready',
      delivered: 'Link copied',
      unreadable: 'Cannot be read',
    },
    madePrivate: 'place and camera data taken out',
    madeFolder: (kept: number, out: number, folders: number) =>
      `${files(kept)}${out + folders > 0 ? `, ${out + folders}${folders > 0 ? '+' : ''} stay out` : ''}`,
    retryIn: (time: string) => `Trying again in ${time}`,
    retryNow: 'Trying again now',
    kept: {
      nothingSent: 'Nothing was sent yet; your file is untouched.',
      nothingStored: 'Nothing is stored on the server; your file is untouched.',
      parts: (done: string, total: string) => `${done} of ${total} are safe on the server and will not be sent again.`,
      allSent: 'The whole file is on the server; only the link is missing.',
      row: 'The entry is kept until you remove it.',
    },
    actions: {
      pause: (name: string) => `Pause ${name}`,
      resume: (name: string) => `Resume ${name}`,
      retry: (name: string) => `Try ${name} again`,
      cancel: (name: string) => `Cancel ${name}`,
      dismiss: (name: string) => `Take ${name} off the list`,
      more: (name: string) => `More for ${name}`,
      openItem: (name: string) => `${name}: settings, views and history`,
      moveTop: 'Move to the top',
      moveUp: 'Move up',
      moveDown: 'Move down',
      moveEnd: 'Move to the end',
    },
    remedies: {
      retry: 'Try again',
      retryNow: 'Try now',
      reconnect: 'Connect again',
      settings: 'Open settings',
      room: 'Show the largest items',
      remove: 'Remove',
    },
  },

  link: {
    field: (name: string) => `Link to ${name}`,
    copy: 'Copy',
    copyNamed: (name: string) => `Copy the link to ${name}`,
    copied: 'Copied',
    open: 'Open',
    openNamed: (name: string) => `Open ${name} in the browser`,
  },

  library: enLibrary,
  item: enItem,

  settings: {
    title: 'Settings',
    account: 'Server and account',
    server: 'Server',
    builtIn: 'Built in, for a try-out',
    builtInHint: 'Links open on this computer only, while Linkshot runs.',
    user: 'Account',
    plan: 'Plan',
    planFree: 'Free',
    planUntil: (plan: string, date: string) => `${plan}, until ${date}`,
    readAt: (time: string) => `As of ${time}`,
    keyKept: 'Key',
    keyPlace: {
      keyring: 'Kept in the key store of this computer',
      session: 'Kept in memory only; connect again after the next start',
      embedded: 'Made by the built-in server at each start; nothing is stored',
    },
    keyExpires: (date: string) => `The key is valid until ${date}`,
    state: { none: 'Not connected', connecting: 'Connecting…', connected: 'Connected', failed: 'Not connected' },
    refresh: 'Check the connection',
    disconnect: 'Disconnect',
    connectTitle: 'Connect to a server',
    connectOther: 'Connect to another server',
    connectHint: 'You find the key on the account page of your service.',
    authorize: {
      button: 'Connect in the browser',
      hint: 'You sign in on the page of your service and approve this computer. No key has to be copied.',
      or: 'or with a key',
      title: 'Approve the connection',
      opened: 'A page of your service has opened in the browser. Sign in there and approve. No page? Type the code.',
      notOpened: 'Open this address on any device, sign in there and type the code.',
      address: 'Address',
      code: 'Code',
      until: 'Valid until',
      waiting: 'Waiting for your approval.',
      cancel: 'Cancel',
    },
    otherAccounts: {
      title: 'Other accounts',
      use: 'Use',
      useNamed: (name: string) => `Use the account ${name}`,
      remove: 'Remove',
      removeNamed: (name: string) => `Remove the account ${name}`,
    },
    serverLabel: 'Server address',
    serverPlaceholder: 'https://share.example.com',
    keyLabel: 'API key',
    showKey: 'Show the key',
    hideKey: 'Hide the key',
    connect: 'Connect',
    serverMissing: 'Enter the address of the server.',
    serverMalformed: 'This is not a web address. It looks like https://share.example.com.',
    serverInsecure: 'Use https://. Without it the key could be read on the way; http:// is only for this computer.',
    keyMissing: 'Enter the API key.',
    keyMalformed: 'A key has no spaces. Copy it again in full.',
    connectedTo: (server: string) => `Connected to ${server}`,

    storageUsed: (used: string, quota: string) => `${used} of ${quota} used`,
    storageLeft: (left: string) => `${left} free`,
    storageFull: 'No space left. Delete items you no longer need, or choose a bigger plan.',
    storageLabel: 'Storage used',

    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    languages: { system: 'Same as system', en: 'English', ru: 'Русский' },

    sharing: 'Sharing',
    copyLink: 'Copy the link when it is ready',
    copyLinkHint: 'It replaces what is on the clipboard.',
    visibility: 'Who can open new links',
    visibilities: {
      account: { title: 'As the account says', text: 'What is set on the account page of your service.' },
      private: { title: 'Private', text: 'Only you, signed in to your account.' },
      unlisted: { title: 'Unlisted', text: 'Anyone who has the link. It is listed nowhere.' },
      public: { title: 'Public', text: 'Anyone. It also appears in the feed and on your profile.' },
    },
    accountDefault: { private: 'Now: private.', unlisted: 'Now: unlisted.' },

    about: 'About',
    version: (version: string) => `Linkshot ${version}`,
    shortcuts: 'Keyboard',
  },

  connection: {
    none: 'Not connected to a server',
    noneAdvice: 'What you drop waits in the queue and is uploaded once you are connected.',
    connecting: 'Connecting to the server…',
    queueKept: 'Your queue is kept and goes on by itself after that.',
    connect: 'Connect',
    reconnect: 'Connect again',
    tryAgain: 'Try again',
  },

  captureSettings: enCaptureSettings,
  settingsMore: enSettingsMore,
  welcome: enWelcome,
  folder: enFolder,
  hotkeys: enHotkeys,
  panels: enPanels,
  recording: enRecording,
  status: enStatus,
  failed: enFailed,
  timeline: enTimeline,
  capture: enCapture,
  note: enNote,
  overlay: enOverlay,
  palette: enPalette,
  editor: enEditor,
  errors: enErrors as ErrorTexts,
};

export type Messages = typeof en;
