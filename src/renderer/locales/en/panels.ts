/**
 * English texts of the panels, which are small windows in the desktop app and parts of the page in the browser: capture
 * toasts, the recorder bar and the panel of a scrolling capture.
 */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');

export const enPanels = {
  toast: {
    list: 'Captures',
    named: (name: string) => `Capture ${name}`,
    more: (count: number) => `${count} more ${plural(count, { one: 'capture', other: 'captures' })}`,
    /** `place` null: no server is connected. */
    goesTo: (place: string | null, visibility: string) =>
      place === null ? `No server yet · ${visibility}` : `To ${place} · ${visibility}`,
    liesOn: (place: string, visibility: string) => `On ${place} · ${visibility}`,
    thisComputer: 'this computer (demo)',
    nowhere: 'no server yet',
    optionsOf: (name: string) => `Link settings of ${name}`,
    remove: (name: string) => `Delete ${name} for everyone`,
    deleting: (time: string) => `Deleting in ${time}`,
    deletingNow: 'Deleting…',
    undo: 'Undo',
    undoOf: (name: string) => `Undo deleting ${name}`,
    cancel: (name: string) => `Cancel ${name}`,
    close: (name: string) => `Close the notification for ${name}`,
    openApp: 'Open Linkshot',
    kept: {
      copied: 'Image copied',
      saved: 'Image saved',
      both: 'Image copied and saved',
      close: 'Close this notification',
    },
    spoken: (name: string, state: string) => `${name}: ${state}`,
  },
  scroll: {
    label: 'Scrolling capture',
    app: 'Scrolling…',
    user: 'Scroll on: what appears is added',
    ended: 'Stop to keep the image',
    saving: 'Saving the image…',
    beginning: 'The capture begins…',
    size: (width: string, height: string) => `${width} × ${height}`,
    spokenSize: (height: string) => `Height: ${height} pixels`,
    preview: 'Preview of the image so far',
    stop: 'Stop',
    undo: 'Undo the last piece',
    cancel: 'Cancel',
    notes: {
      'nothing-matches': 'What you see doesn’t fit the image, so it isn’t added. Scroll back to where the image ends.',
      'several-match': 'The content repeats, so it’s uncertain where this part belongs. Scroll in smaller steps.',
      gap: 'A part in between is missing, so this one isn’t added. Scroll back to where the image ends.',
      resized: 'The area has changed its size, so nothing more is added.',
      full: 'The image has reached the largest accepted size.',
    },
    inexact: 'Some parts may not be joined exactly: check the image.',
  },
  bar: {
    label: 'Recorder',
    captureIn: (seconds: number) => `Capture in ${seconds}`,
    recordingIn: (seconds: number) => `Recording in ${seconds}`,
    cancel: 'Cancel',
    recording: 'Recording',
    paused: 'Paused',
    finishing: 'Finishing the recording…',
    elapsed: 'Recorded time',
    sizeOf: (size: string, limit: string) => `${size} of ${limit}`,
    timeOf: (limit: string) => `of ${limit}`,
    sound: {
      none: 'Without sound',
      system: 'With system audio',
      microphone: 'With microphone',
      both: 'With system audio and microphone',
    },
    pause: 'Pause',
    resume: 'Resume',
    stop: 'Stop',
    discard: 'Discard the recording',
    discardAsk: 'Discard permanently?',
    discardYes: 'Discard',
    discardNo: 'Keep it',
    title: 'Recording',
    titlePaused: 'Recording paused',
  },
};
