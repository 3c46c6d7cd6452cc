/**
 * The menu of the app. Promise: no key of Electron's own menu reloads a page, opens its inspector, or scales a frozen screen;
 * what is left is what people rely on everywhere, the size of the text and, on macOS, editing and the windows.
 */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Words } from '../messages.ts';

export interface MenuDeps {
  readonly platform: NodeJS.Platform;
  readonly words: () => Words;
  readonly zoom: (way: 'in' | 'out' | 'reset') => void;
}

/** Call it before any window is made. Only macOS shows it; elsewhere its keys work. */
export const setAppMenu = ({ platform, words, zoom }: MenuDeps): void => {
  const { view } = words();
  const larger = { label: view.larger, click: () => zoom('in') };
  const zooming: MenuItemConstructorOptions[] = [
    { ...larger, accelerator: 'CommandOrControl+Plus' },
    // The same key without Shift.
    { ...larger, accelerator: 'CommandOrControl+=', visible: false },
    { label: view.smaller, accelerator: 'CommandOrControl+-', click: () => zoom('out') },
    { label: view.usual, accelerator: 'CommandOrControl+0', click: () => zoom('reset') },
  ];
  const own: MenuItemConstructorOptions = { label: view.title, submenu: zooming };
  const template: MenuItemConstructorOptions[] =
    platform === 'darwin' ? [{ role: 'appMenu' }, { role: 'editMenu' }, own, { role: 'windowMenu' }] : [own];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
};
