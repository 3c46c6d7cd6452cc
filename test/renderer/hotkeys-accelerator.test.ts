/** Key presses become Electron accelerators on any keyboard layout. */
import { describe, expect, it } from 'vitest';
import { parseAccelerator } from '../../src/engine/hotkeys/accelerator.ts';
import {
  alternativeTo,
  isSameHotkey,
  labelsOf,
  readPress,
  workingKeysOf,
} from '../../src/renderer/keyboard/accelerator.ts';

const press = (code: string, key: string, ...held: ('ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey')[]) => ({
  ...{ code, key, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
  ...Object.fromEntries(held.map((name) => [name, true])),
});

describe('a press', () => {
  it('is the letter of the layout, as Windows and X11 register it, and on a Mac the place of the key', () => {
    const german = press('KeyY', 'Z', 'ctrlKey', 'shiftKey');
    expect(readPress(german, false)).toEqual({ kind: 'whole', accelerator: 'Control+Shift+Z' });
    expect(readPress(german, true)).toEqual({ kind: 'whole', accelerator: 'Control+Shift+Y' });
    const french = press('Semicolon', 'm', 'ctrlKey');
    expect(readPress(french, false)).toEqual({ kind: 'whole', accelerator: 'Control+M' });
    expect(readPress(press('Digit4', "'", 'ctrlKey'), false)).toEqual({ kind: 'whole', accelerator: 'Control+4' });
  });

  it('is read by the place of the key where the layout has no Latin letters', () => {
    const latin = readPress(press('KeyX', 'X', 'ctrlKey', 'shiftKey'), false);
    expect(latin).toEqual({ kind: 'whole', accelerator: 'Control+Shift+X' });
    expect(readPress(press('KeyX', 'Ч', 'ctrlKey', 'shiftKey'), false)).toEqual(latin);
  });

  it('of modifiers alone is a beginning, and of a letter alone is refused', () => {
    expect(readPress(press('ControlLeft', 'Control', 'ctrlKey'), false)).toEqual({ kind: 'part', keys: ['Control'] });
    expect(readPress(press('KeyX', 'X', 'shiftKey'), false)).toEqual({ kind: 'needs-modifier' });
    expect(readPress(press('', 'Unidentified', 'ctrlKey'), false)).toEqual({ kind: 'unknown' });
  });

  const whole = [
    [press('PrintScreen', 'PrintScreen'), 'PrintScreen'],
    [press('F9', 'F9'), 'F9'],
    [press('F24', 'F24', 'shiftKey'), 'Shift+F24'],
    [press('Digit4', '$', 'metaKey', 'shiftKey'), 'Shift+Super+4'],
    [press('Numpad3', '3', 'ctrlKey'), 'Control+num3'],
    [press('NumpadAdd', '+', 'ctrlKey'), 'Control+numadd'],
    [press('Slash', '/', 'ctrlKey', 'altKey'), 'Control+Alt+/'],
    [press('ArrowUp', 'ArrowUp', 'altKey'), 'Alt+Up'],
    [press('Space', ' ', 'ctrlKey'), 'Control+Space'],
    [press('Enter', 'Enter', 'ctrlKey'), 'Control+Return'],
  ] as const;

  it.each(whole)('%j is %s', (pressed, accelerator) => {
    expect(readPress(pressed, false)).toEqual({ kind: 'whole', accelerator });
  });

  it('gives what the engine understands, in the form that it writes itself', () => {
    for (const [, accelerator] of whole) {
      const parsed = parseAccelerator(accelerator, 'linux');
      expect(parsed).toMatchObject({ ok: true });
      if (parsed.ok) expect([...parsed.value.modifiers, parsed.value.key].join('+')).toBe(accelerator);
    }
  });
});

it('keys are shown as they are labelled', () => {
  expect(labelsOf('CommandOrControl+Shift+PrintScreen', false)).toEqual(['Ctrl', 'Shift', 'PrtSc']);
  expect(labelsOf('CommandOrControl+Shift+X', true)).toEqual(['⌘', 'Shift', 'X']);
});

it('the same keys are recognised however they are written', () => {
  expect(isSameHotkey('Ctrl+Shift+X', 'Shift+Control+x', false)).toBe(true);
  expect(isSameHotkey('Ctrl+Shift+X', 'Ctrl+X', false)).toBe(false);
  expect(isSameHotkey(null, null, false)).toBe(false);
});

it('the suggested hotkey is free: Print Screen with Ctrl, else Ctrl+Shift and a letter', () => {
  expect(alternativeTo('PrintScreen', 'window', [])).toBe('Control+PrintScreen');
  expect(alternativeTo('PrintScreen', 'window', ['Ctrl+PrintScreen'])).toBe('Control+Shift+A');
  expect(alternativeTo('Ctrl+Shift+X', 'region', ['Control+Shift+X'])).toBeNull();
});

describe('the keys of a hotkey that works', () => {
  const hotkey = { accelerator: 'Control+PrintScreen', state: 'asked', bound: null } as const;

  it('are those that the desktop bound, else those that the user chose', () => {
    expect(workingKeysOf(hotkey, false)).toEqual(['Ctrl', 'PrtSc']);
    expect(workingKeysOf({ ...hotkey, bound: 'Meta+Shift+S' }, false)).toEqual(['Meta+Shift+S']);
  });

  it('are none where the system refused it', () => {
    expect(workingKeysOf({ ...hotkey, state: 'refused' }, false)).toBeNull();
    expect(workingKeysOf({ ...hotkey, accelerator: null, state: 'off' }, false)).toBeNull();
  });
});
