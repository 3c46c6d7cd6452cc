/** English texts of the region selection on the frozen screen, the screenshot that covers each display. */

import { OVERLAY_TITLES } from '../../../common/overlay-titles.ts';

export const enOverlay = {
  title: OVERLAY_TITLES.en as Readonly<Record<'picture' | 'scrolling' | 'recording' | 'text', string>>,
  picture: 'Frozen screen',
  how: 'Arrow keys move the crosshair by one pixel, with Ctrl by ten. Space sets a corner. Tab moves between windows. Enter confirms the selection. Escape goes back.',
  hints: {
    region: 'Drag to select a region, or click a window',
    drag: 'Drag to select a region',
    window: 'Click a window',
    screen: 'Click the screen',
  },
  last: 'Last region',
  whole: 'Whole screen',
  screens: 'Screens',
  screen: (number: number, name: string) => `Screen ${number}, ${name}`,
  fullScreen: 'Show in full screen',
  cancel: 'Cancel',
  actions: 'What to do with it',
  publish: 'Share',
  edit: 'Edit',
  copy: 'Copy',
  save: 'Save',
  text: 'Text',
  copyText: 'Copy text',
  scroll: 'Scrolling',
  scrolling: 'Scroll and capture',
  record: 'Record',
  copyColour: 'Copy colour',
  spokenColour: (colour: string) => `Colour ${colour} copied`,
  /** Of the copied colour and the one aimed at, by WCAG. */
  contrast: (ratio: string, verdict: string) => `Contrast ${ratio}: ${verdict}`,
  contrasts: { large: 'only for large text', low: 'too low' },
  spokenAim: (x: number, y: number, colour: string) => `${x}, ${y}. ${colour}`,
  spokenWindow: (title: string, width: number, height: number) => `Window ${title}, ${width} by ${height}`,
  spokenArea: (width: number, height: number, x: number, y: number) => `Region ${width} by ${height} at ${x}, ${y}`,
  destination: {
    to: (place: string, who: string) => `to ${place} · ${who}`,
    once: 'opens once',
    tryOut: 'to this computer only (demo)',
    nowhere: 'not connected: it will wait in the queue',
    unknown: 'account default',
    review: 'stays here until you share it',
    text: 'read on this computer, not uploaded',
    who: { private: 'only you', unlisted: 'anyone with the link', public: 'everyone' },
  },
};
