/**
 * The app's shortcuts in groups, as the list of shortcuts shows them to the user. The editor's tools define their own
 * letters (`drawing/tools.ts`); the locale catalogues name each shortcut under the same key.
 */

import type { Capabilities } from '../../ipc/protocol/app-state.ts';

/** Keys pressed together; `Mod` is Ctrl, or Cmd on a Mac. */
type Chord = readonly string[];
/** Alternatives: any of them works. */
export type Chords = readonly [Chord, ...Chord[]];

export const SHORTCUTS = {
  window: {
    palette: [['Mod', 'K']],
    shortcuts: [['?']],
    choose: [['Mod', 'O']],
    newNote: [
      ['Mod', 'N'],
      ['Alt', 'N'],
    ],
    paste: [['Mod', 'V']],
    search: [['/']],
    move: [['Alt', '↑ ↓']],
    messages: [['F6']],
  },
  library: {
    items: [['← ↑ → ↓'], ['Home'], ['End']],
    choose: [['Space']],
    range: [['Shift', 'Space']],
    all: [['Mod', 'A']],
    delete: [['Delete']],
    none: [['Esc']],
  },
  note: {
    send: [
      ['Mod', 'Enter'],
      ['Mod', 'S'],
    ],
    find: [['Mod', 'F']],
    leave: [['Esc', 'Tab']],
    back: [['Esc']],
  },
  overlay: {
    nudge: [['← ↑ → ↓']],
    far: [['Mod', '← ↑ → ↓']],
    stretch: [['Shift', '← ↑ → ↓']],
    corner: [['Space']],
    window: [['Tab']],
    screen: [['1–9']],
    last: [['L']],
    whole: [['Mod', 'A']],
    enter: [['Enter']],
    publish: [['Mod', 'U']],
    edit: [['Mod', 'E']],
    copy: [['Mod', 'C']],
    save: [['Mod', 'S']],
    pin: [['P']],
    text: [['T']],
    scroll: [['S']],
    colour: [['C']],
    ruler: [['R']],
    camera: [['W']],
    back: [['Esc']],
  },
  editor: {
    place: [['Enter']],
    move: [['← ↑ → ↓']],
    far: [['Alt', '← ↑ → ↓']],
    resize: [['Shift', '← ↑ → ↓']],
    next: [['PgUp'], ['PgDn']],
    duplicate: [['Mod', 'D']],
    remove: [['Delete']],
    paste: [['Mod', 'V']],
    undo: [['Mod', 'Z']],
    redo: [
      ['Mod', 'Shift', 'Z'],
      ['Mod', 'Y'],
    ],
    zoom: [
      ['Mod', '+'],
      ['Mod', '-'],
    ],
    fit: [['Mod', '0']],
    finish: [['Mod', 'Enter']],
    upload: [['Mod', 'U']],
    copy: [['Mod', 'C']],
    save: [['Mod', 'S']],
    background: [['F']],
    pin: [['Mod', 'P']],
    back: [['Esc']],
  },
  pin: {
    move: [['← ↑ → ↓']],
    far: [['Mod', '← ↑ → ↓']],
    zoom: [['+'], ['-']],
    actualSize: [['0']],
    opacity: [['['], [']']],
    letThrough: [['T']],
    copy: [['Mod', 'C']],
    share: [['Mod', 'U']],
    close: [['Esc']],
  },
  review: {
    play: [['Space']],
    start: [['I']],
    end: [['O']],
    frame: [['←'], ['→']],
  },
} as const satisfies Record<string, Record<string, Chords>>;

/** Of the window, those that work in this host: browsers reserve Ctrl+N. */
export const windowShortcutsOf = ({
  clipboard,
}: Pick<Capabilities, 'clipboard'>): Readonly<Record<keyof typeof SHORTCUTS.window, Chords>> =>
  clipboard === 'host' ? SHORTCUTS.window : { ...SHORTCUTS.window, newNote: [SHORTCUTS.window.newNote[1]] };
