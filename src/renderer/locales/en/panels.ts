/** Panels: capture toasts and recorder bar. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');

export const enPanels = {
  toast: {
    list: 'Captures',
    named: (name: string) => `Capture ${name}`,
    more: (count: number) => `${count} more ${plural(count, { one: 'capture', other: 'captures' })}`,
    goesTo: (place: string, visibility: string) => `To ${place} · ${visibility}`,
    liesOn: (place: string, visibility: string) => `On ${place} · ${visibility}`,
    thisComputer: 'this computer (try-out)',
    nowhere: 'no server yet',
    optionsOf: (name: string) => `Link settings of ${name}`,
    remove: (name: string) => `Delete ${name} for everyone`,
    deleting: (time: string) => `Deleted in ${time}`,
    deletingNow: 'Being deleted',
    undo: 'Undo',
    undoOf: (name: string) => `Undo deleting ${name}`,
    cancel: (name: string) => `Cancel ${name}`,
    close: (name: string) => `Close the notice of ${name}`,
    openApp: 'Open Linkshot',
    kept: {
      copied: 'Picture copied',
      saved: 'Picture saved',
      both: 'Picture copied and saved',
      close: 'Close this notice',
    },
    spoken: (name: string, state: string) => `${name}: ${state}`,
  },
  link: {
    visibility: 'Who can open it',
    expiry: 'The link lasts',
    ttl: { forever: 'Forever', day: 'A day', week: 'A week', month: 'A month' },
    endsAt: (date: string) => `It ends on ${date}.`,
    oneTime: 'Only once',
    oneTimeHint: 'The first one who opens it has it for ten minutes; after that it is gone.',
  },
  bar: {
    label: 'Recorder',
    captureIn: (seconds: number) => `Capture in ${seconds}`,
    recordingIn: (seconds: number) => `Recording in ${seconds}`,
    cancel: 'Cancel',
    recording: 'Recording',
    paused: 'Paused',
    finishing: 'Putting the recording together…',
    elapsed: 'Recorded time',
    sizeOf: (size: string, limit: string) => `${size} of ${limit}`,
    timeOf: (limit: string) => `of ${limit}`,
    sound: {
      none: 'Without sound',
      system: 'With system sound',
      microphone: 'With microphone',
      both: 'With system sound and microphone',
    },
    pause: 'Pause',
    resume: 'Go on',
    stop: 'Stop',
    discard: 'Discard the recording',
    discardAsk: 'Discard it for good?',
    discardYes: 'Discard',
    discardNo: 'Keep',
    title: 'Recording',
    titlePaused: 'Recording paused',
  },
};
