/**
 * English catalogue of all pages of the app: the texts of `en/`, and those of the app window, file input, messages,
 * queue, links, settings and connection. Its type is the schema of every other catalogue.
 */

import type { ErrorTexts } from './describe-failure.ts';
import { enCapture, enCaptureSettings } from './en/capture.ts';
import { enConnectionBanners } from './en/connection-banners.ts';
import { enEditor } from './en/editor.ts';
import { enFailed } from './en/error-boundary.ts';
import { enErrorList } from './en/error-list.ts';
import { enErrors } from './en/errors.ts';
import { enFit } from './en/fit.ts';
import { enFolder } from './en/folder.ts';
import { enHotkeys } from './en/hotkeys.ts';
import { enItem } from './en/item.ts';
import { enItemTimeline } from './en/item-timeline.ts';
import { enLibrary } from './en/library.ts';
import { enLinkOptions } from './en/link-options.ts';
import { enNote } from './en/note.ts';
import { enOverallProgress } from './en/overall-progress.ts';
import { enOverlay } from './en/overlay.ts';
import { enPalette } from './en/palette.ts';
import { enPanels } from './en/panels.ts';
import { enPictureText } from './en/picture-text.ts';
import { enPin } from './en/pin.ts';
import { enQueueItemDetails } from './en/queue-item-details.ts';
import { enRecording } from './en/recording.ts';
import { enSettingsSections, enSystemSettings } from './en/settings-sections.ts';
import { enWelcome } from './en/welcome.ts';
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
    unanswered: 'Can’t connect to Linkshot.',
    unansweredAdvice: 'Check that Linkshot is still running, then try again. Your queue is safe on this computer.',
    tryAgain: 'Try again',
    linkDown: 'Linkshot isn’t responding',
    linkDownAdvice:
      'If it was closed, start it again and use the window that opens. The queue continues where it left off.',
    linkRefused: 'This page is from a previous session',
    linkRefusedAdvice: 'Open the address that Linkshot printed when it last started.',
    /** Document title while items need attention. */
    titleAttention: (count: number) =>
      plural(count, { one: `${count} needs attention`, other: `${count} need attention` }),
    titleProgress: (percent: string, left: number) => `${percent} · ${left} left`,
    messages: 'Messages',
    close: 'Close',
    dismiss: 'Dismiss',
    details: 'Technical details',
    notices: 'Notifications',
  },

  intake: {
    title: 'Drop files here',
    hint: 'Images, videos, text and code folders become share links. You can drop several at once.',
    choose: 'Choose files',
    photograph: 'Take a photo',
    paste: 'Paste',
    dropTitle: 'Drop to share',
    dropHint: 'Your link is ready as soon as the upload finishes.',
    states: {
      waiting: 'Waiting',
      sending: 'Reading…',
      looking: 'Checking the video…',
      asking: 'Waiting for your choice',
      failed: 'Couldn’t read the file',
    },
    received: (sent: string, total: string) => `${sent} of ${total}`,
    cancel: (name: string) => `Cancel uploading ${name}`,
    retry: 'Try again',
    remove: 'Remove',
    keptNothing: 'Nothing was uploaded. Your file is unchanged.',
    pastedName: (stamp: string) => `Pasted image ${stamp}`,
  },

  fit: enFit,

  notes: {
    linkCopied: (name: string) => `Link to ${name} copied`,
    linksCopied: (count: number) => `${count} ${plural(count, { one: 'link', other: 'links' })} copied`,
    deleted: (count: number) => `${count} ${plural(count, { one: 'item', other: 'items' })} deleted`,
    linkReady: (name: string) => `Link to ${name} is ready`,
    linkWaits: (name: string) => `Link to ${name} isn’t copied yet`,
    linkWaitsHint: 'Click anywhere on this page to copy it.',
    copied: 'Copied',
    copyRefused: 'Couldn’t copy the link',
    copyRefusedHint: 'Select the link and copy it with the keyboard.',
    linksRefused: 'Couldn’t copy the links',
    linksRefusedHint: 'Your browser blocks copying here. Copy the links one by one.',
    pictureCopied: 'Image copied',
    pictureCopiedHint: 'Paste it anywhere.',
    pictureWaits: 'Image ready to copy',
    pictureWaitsHint: 'Click anywhere on this page to copy it.',
    copyOlder: 'The clipboard still has an older version',
    copyMissing: 'The image isn’t on the clipboard',
    copyRetry: {
      click: 'Your browser allows copying after a click: the next one in this window copies the image.',
      button: 'The image changed after you left this window.',
      change: 'It couldn’t be copied. Your next change tries again.',
    },
    pasteStays: 'Nothing was pasted',
    pasteStaysHint:
      'The editor only accepts text. To share a copied image or file, go back to the main window and paste it there.',
    editedElsewhere: 'This capture was edited in another window',
    editedElsewhereHint: 'Those edits are shown here now. Check the image, and repeat what you just did.',
    addressDropped: 'That was a web address, not a file',
    addressDroppedHint: 'Save the image or video first, then drop the saved file.',
    fileWithheld: 'Your browser didn’t provide the file',
    fileWithheldHint: 'Press “Choose files” instead.',
    folderEmpty: 'This folder has no files',
    folderEmptyHint: 'Choose another one.',
    wordsMissing: 'Couldn’t load that language',
    wordsMissingHint: 'Your choice is saved. Linkshot stays in this language until the new one loads.',
    textPasted: 'Share the text from your clipboard?',
    shareText: 'Share as a note',
    clipboardEmpty: 'No image or text on the clipboard',
    clipboardEmptyHint: 'Copy something first. To paste files, press Ctrl+V.',
    clipboardRefused: 'Your browser blocked access to the clipboard',
    clipboardRefusedHint: 'Press Ctrl+V instead.',
    moved: (name: string, position: number, total: number) => `${name} is now ${position} of ${total}`,
  },

  queue: {
    title: 'Queue',
    summary: (count: number, bytes: string) => `${files(count)} · ${bytes}`,
    pauseAll: 'Pause all',
    resumeAll: 'Resume all',
    pausedHint: 'The queue is paused. Your progress is saved.',
    finished: 'Finished',
    copyAll: 'Copy all links',
    clearFinished: 'Clear list',
    clearHint: 'Your links stay in the library.',
    tryOut: 'You’re trying Linkshot out: links only work on this computer while Linkshot is running.',
    tryOutAction: 'Connect to a server',
    progress: (name: string) => `Progress of ${name}`,
    amount: (done: string, total: string) => `${done} of ${total}`,
    timeLeft: (time: string) => `${time} left`,
    phase: {
      waiting: 'Queued',
      offline: 'Waiting for a connection',
      preparing: 'Compressing',
      hashing: 'Checking the file',
      sending: 'Uploading',
      completing: 'Creating the link',
      paused: 'Paused',
      queuePaused: 'Queue is paused',
      retrying: 'Retrying soon',
      stuck: 'Needs your attention',
      cancelling: 'Cancelling',
      linked: 'Link is ready',
      delivered: 'Link copied',
      unreadable: 'Can’t be read',
    },
    madeWithout: (losses: string) => `lost: ${losses}`,
    madePrivate: 'location and camera data removed',
    madeFolder: (kept: number, out: number, folders: number) =>
      `${files(kept)}${out + folders > 0 ? `, ${out + folders}${folders > 0 ? '+' : ''} skipped` : ''}`,
    retryIn: (time: string) => `Retrying in ${time}`,
    retryNow: 'Retrying now',
    kept: {
      nothingSent: 'Nothing has been uploaded yet. Your file is unchanged.',
      nothingStored: 'Nothing is stored on the server. Your file is unchanged.',
      parts: (done: string, total: string) => `${done} of ${total} is on the server and won’t be uploaded again.`,
      allSent: 'The whole file is on the server. Only the link is missing.',
      row: 'The item stays here until you remove it.',
      deletion: 'Linkshot deletes it from the server as soon as it can. If you remove it here, it may stay there.',
    },
    actions: {
      pause: (name: string) => `Pause ${name}`,
      resume: (name: string) => `Resume ${name}`,
      retry: (name: string) => `Try ${name} again`,
      cancel: (name: string) => `Cancel ${name}`,
      dismiss: (name: string) => `Remove ${name} from the list`,
      more: (name: string) => `More actions for ${name}`,
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
      look: 'Look at it',
      approve: 'Upload as it is',
      remove: 'Remove',
    },
    withoutEdits: { ask: 'Upload it without your edits?', no: 'Don’t upload', yes: 'Upload without edits' },
  },

  link: {
    field: (name: string) => `Link to ${name}`,
    copy: 'Copy',
    copyNamed: (name: string) => `Copy the link to ${name}`,
    copied: 'Copied',
    open: 'Open',
    shareNamed: (name: string) => `Share the link to ${name}`,
    openNamed: (name: string) => `Open the share page of ${name}`,
  },

  library: enLibrary,
  item: enItem,

  settings: {
    title: 'Settings',
    account: 'Server and account',
    server: 'Server',
    builtIn: 'This computer (demo)',
    builtInHint: 'Links only work on this computer while Linkshot is running.',
    user: 'Account',
    plan: 'Plan',
    planFree: 'Free',
    planUntil: (plan: string, date: string) => `${plan}, until ${date}`,
    readAt: (time: string) => `As of ${time}`,
    keyKept: 'Key',
    keyPlace: {
      keyring: 'Stored in this computer’s keychain',
      session: 'In memory only. Connect again after a restart.',
      embedded: 'Created by the built-in server each time it starts, and never stored',
    },
    keyExpires: (date: string) => `The key is valid until ${date}`,
    state: { none: 'Not connected', connecting: 'Connecting…', connected: 'Connected', failed: 'Not connected' },
    refresh: 'Check the connection',
    disconnect: 'Disconnect',
    connectTitle: 'Connect to a server',
    connectOther: 'Connect to another server',
    connectHint: 'You’ll find the key on your account page.',
    authorize: {
      button: 'Connect in the browser',
      hint: 'Sign in to your server and approve this computer. You don’t need a key.',
      or: 'or with a key',
      title: 'Approve the connection',
      opened:
        'A page has opened in your browser. Sign in and approve. No page? Open the address below and enter the code.',
      notOpened: 'Open this address on any device, sign in and enter the code.',
      address: 'Address',
      code: 'Code',
      until: 'Valid until',
      waiting: 'Waiting for approval…',
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
    serverMalformed: 'Enter a web address such as https://share.example.com.',
    serverInsecure: 'Use https:// so that nobody can intercept the key. http:// only works for this computer.',
    keyMissing: 'Enter the API key.',
    keyMalformed: 'A key has no spaces. Copy the whole key again.',
    connectedTo: (server: string) => `Connected to ${server}`,

    storageUsed: (used: string, quota: string) => `${used} of ${quota} used`,
    storageLeft: (left: string) => `${left} free`,
    storageFull: 'No space left. Delete items you no longer need, or choose a plan with more storage.',
    storageLabel: 'Storage used',

    appearance: 'Appearance',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    language: 'Language',
    languages: { system: 'System', en: 'English', ru: 'Русский' },

    sharing: 'Sharing',
    copyLink: 'Copy the link when it’s ready',
    copyLinkHint: 'Replaces the contents of your clipboard.',
    visibility: 'Who can open new links',
    visibilities: {
      account: { title: 'Account default', text: 'Uses the setting on your account page.' },
      private: { title: 'Private', text: 'Only you, signed in to your account.' },
      unlisted: { title: 'Unlisted', text: 'Anyone with the link. It isn’t listed anywhere.' },
      public: { title: 'Public', text: 'Anyone. It also appears in the feed and on your profile.' },
    },
    accountDefault: { private: 'Currently private.', unlisted: 'Currently unlisted.' },

    about: 'About',
    version: (version: string) => `Linkshot ${version}`,
    shortcuts: 'Shortcuts',
  },

  connection: {
    none: 'Not connected to a server',
    noneAdvice: 'Files you add wait in the queue and upload once you’re connected.',
    connecting: 'Connecting to the server…',
    queueKept: 'Your queue is saved and will continue automatically.',
    connect: 'Connect',
    reconnect: 'Connect again',
    tryAgain: 'Try again',
  },

  captureSettings: { ...enCaptureSettings, ...enSystemSettings },
  settingsMore: enSettingsSections,
  welcome: enWelcome,
  folder: enFolder,
  hotkeys: enHotkeys,
  panels: enPanels,
  linkOptions: enLinkOptions,
  recording: enRecording,
  status: {
    reach: enConnectionBanners,
    messages: enErrorList,
    details: enQueueItemDetails,
    overall: enOverallProgress,
  },
  failed: enFailed,
  timeline: enItemTimeline,
  capture: enCapture,
  note: enNote,
  overlay: enOverlay,
  palette: enPalette,
  pictureText: enPictureText,
  pin: enPin,
  editor: enEditor,
  errors: enErrors as ErrorTexts,
};

export type Messages = typeof en;
