/**
 * The application menu: zoom of the main window and, on macOS, the standard app, edit and window menus. It replaces
 * Electron's default menu, whose keys would reload a page, open the inspector or scale a screenshot.
 */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { DesktopTexts } from '../desktop-texts.ts';

export interface MenuDeps {
  readonly platform: NodeJS.Platform;
  readonly messages: () => DesktopTexts;
  readonly zoom: (way: 'in' | 'out' | 'reset') => void;
}

/**
 * Call it before any window is created. Only macOS shows it; elsewhere its keys work. Returns a function to call at
 * each change of the language; it renames the entries.
 */
export const setAppMenu = ({ platform, messages, zoom }: MenuDeps): (() => void) => {
  let named: DesktopTexts['view'] | null = null;
  const name = (): void => {
    const { view } = messages();
    if (view === named) return;
    named = view;
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
  name();
  return name;
};
