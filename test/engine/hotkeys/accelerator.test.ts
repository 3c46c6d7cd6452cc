/** Parsing hotkeys as users and services write them: one normalised form, and an error message for invalid ones. */
import { describe, expect, it } from 'vitest';
import { formatAccelerator, parseAccelerator } from '../../../src/engine/hotkeys/accelerator.ts';

const normal = (text: string, platform = 'linux') => {
  const parsed = parseAccelerator(text, platform);
  return parsed.ok ? formatAccelerator(parsed.value) : parsed.error.detail;
};

describe('a hotkey', () => {
  it.each([
    ['CommandOrControl+Shift+L', 'Control+Shift+L'],
    ['shift + cmdorctrl + l', 'Control+Shift+L'],
    ['Ctrl+PrintScreen', 'Control+PrintScreen'],
    ['ctrl+prtsc', 'Control+PrintScreen'],
    ['F9', 'F9'],
    ['PrintScreen', 'PrintScreen'],
    ['Alt+Option+Ctrl+A', 'Control+Alt+A'],
    ['Meta+esc', 'Super+Escape'],
    ['Ctrl++', 'Control+Plus'],
    ['Ctrl+Plus', 'Control+Plus'],
    ['Alt+num7', 'Alt+num7'],
    ['Ctrl+/', 'Control+/'],
    ['MediaPlayPause', 'MediaPlayPause'],
  ])('%s is %s', (text, form) => {
    expect(normal(text)).toBe(form);
    expect(normal(form), 'its form is final').toBe(form);
  });

  it('means Command on macOS where the two differ', () => {
    expect(normal('CommandOrControl+Shift+X', 'darwin')).toBe('Shift+Super+X');
    expect(normal('CommandOrControl+Shift+X', 'win32')).toBe('Control+Shift+X');
  });

  it.each([
    ['', 'a key is missing'],
    ['Ctrl', 'needs one more key'],
    ['Ctrl+', 'a key is missing'],
    ['Ctrl+Shift+Hyper', 'no key is called Hyper'],
    ['Ctrl+A+B', 'more than one key'],
    ['A', 'this key writes'],
    ['Shift+7', 'this key writes'],
    ['Space', 'this key writes'],
    ['Ctrl+ß', 'no key is called ß'],
  ])('%s is invalid, and the message explains why', (text, why) => {
    expect(parseAccelerator(text, 'linux')).toMatchObject({ ok: false, error: { code: 'HOTKEY_INVALID' } });
    expect(normal(text)).toContain(why);
  });
});
