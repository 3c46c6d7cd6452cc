/** What the window shows where Linkshot cannot listen to keys: the way of the very desktop. */
import { expect, it } from 'vitest';
import { bindingInstructions } from '../../../src/engine/hotkeys/binding-instructions.ts';

const on = (desktop: string) => ({
  WAYLAND_DISPLAY: 'wayland-0',
  XDG_SESSION_TYPE: 'wayland',
  XDG_CURRENT_DESKTOP: desktop,
});
const COMMAND = 'linkshot capture --select';

it('Sway gets the line of its configuration, with the wanted hotkey', () => {
  const keys = (accelerator: string | null) => bindingInstructions(on('sway'), accelerator);
  const line = (hotkey: string) => ({ command: `bindsym ${hotkey} exec ${COMMAND}`, commandPlace: 'sway' });
  expect(keys('CommandOrControl+Shift+X')).toEqual(line('Ctrl+Shift+x'));
  expect(keys('Super+Alt+PrintScreen')).toEqual(line('Mod1+Mod4+Print'));
  expect(keys('Ctrl+PageUp')).toEqual(line('Ctrl+Prior'));
  expect(keys('F9')).toEqual(line('F9'));
  expect(keys('Ctrl+num3')).toEqual(line('Ctrl+KP_3'));
  expect(keys('Ctrl+/')).toEqual(line('Ctrl+slash'));
  expect(keys('VolumeMute')).toEqual(line('XF86AudioMute'));
  for (const unusable of [null, 'nonsense+']) expect(keys(unusable)).toEqual(line('Ctrl+Print'));
});

it('GNOME and KDE get the command for their own settings, all others the general advice', () => {
  expect(bindingInstructions(on('ubuntu:GNOME'), 'F9')).toEqual({ command: COMMAND, commandPlace: 'gnome' });
  expect(bindingInstructions(on('KDE'), 'F9')).toEqual({ command: COMMAND, commandPlace: 'kde' });
  expect(bindingInstructions(on('Hyprland'), 'F9')).toEqual({ command: COMMAND, commandPlace: 'settings' });
  expect(bindingInstructions({ DISPLAY: ':0' }, 'F9')).toEqual({ command: COMMAND, commandPlace: 'settings' });
});
