/** Query matching of the palette, and the overlay's entries in the list of shortcuts. */

import { describe, expect, it } from 'vitest';
import { SHORTCUTS } from '../../../src/renderer/keyboard/shortcuts.ts';
import { enPalette } from '../../../src/renderer/locales/en/palette.ts';
import { matchesQuery } from '../../../src/renderer/locales/match-query.ts';
import { ruPalette } from '../../../src/renderer/locales/ru/palette.ts';
import { type OverlayCommand, selectionCommandOf } from '../../../src/renderer/overlay/selection/selection-keys.ts';

describe('a typed query', () => {
  it('matches prefixes of the words of a command, in any order, and ё as е', () => {
    const names = ['Theme: dark', 'black night', 'Тема: тёмная'];
    for (const typed of ['', 'dark', 'da th', 'NIGHT', 'темн', 'тём те', 'theme:dark'])
      expect([typed, matchesQuery(typed, names)]).toEqual([typed, true]);
    for (const typed of ['ark', 'dark light', 'тьма', 'themes'])
      expect([typed, matchesQuery(typed, names)]).toEqual([typed, false]);
  });
});

it.each([
  ['sign in', 'account'],
  ['log out', 'account'],
  ['выйти', 'account'],
  ['dark mode', 'dark'],
  ['ffmpeg', 'video'],
  ['webcam', 'recording'],
  ['password', 'upload'],
  ['срок', 'upload'],
  ['last link', 'copyNewest'],
  ['последняя', 'copyNewest'],
] as const)('common synonyms find it: %s', (typed, id) => {
  const names = [enPalette, ruPalette].flatMap(({ commands }) => [commands[id].name, commands[id].also]);
  expect(matchesQuery(typed, names)).toBe(true);
});

it('each listed shortcut of the frozen screen works', () => {
  const keys: Readonly<Record<string, Partial<KeyboardEvent>>> = {
    ...{ '← ↑ → ↓': { key: 'ArrowLeft' }, Space: { key: ' ' }, Esc: { key: 'Escape' }, '1–9': { key: '3' } },
    ...{ Mod: { ctrlKey: true }, Shift: { shiftKey: true } },
  };
  const orders: Record<keyof typeof SHORTCUTS.overlay, OverlayCommand> = {
    nudge: { order: 'nudge', dx: -1, dy: 0 },
    far: { order: 'nudge', dx: -10, dy: 0 },
    stretch: { order: 'stretch', dx: -1, dy: 0 },
    corner: { order: 'corner' },
    window: { order: 'window', step: 1 },
    screen: { order: 'screen', number: 3 },
    last: { order: 'last' },
    whole: { order: 'whole' },
    enter: { order: 'enter' },
    publish: { order: 'finish', way: 'publish' },
    edit: { order: 'finish', way: 'edit' },
    copy: { order: 'finish', way: 'copy' },
    save: { order: 'finish', way: 'save' },
    pin: { order: 'finish', way: 'pin' },
    text: { order: 'finish', way: 'text' },
    scroll: { order: 'finish', way: 'scroll' },
    colour: { order: 'colour' },
    ruler: { order: 'ruler' },
    camera: { order: 'camera' },
    back: { order: 'back' },
  };
  const pressed = Object.entries(SHORTCUTS.overlay).map(([name, [chord]]) => {
    const press = Object.assign({}, ...chord.map((part: string) => keys[part] ?? { key: part })) as KeyboardEvent;
    return [name, selectionCommandOf(press)];
  });
  expect(Object.fromEntries(pressed)).toEqual(orders);
});
