/** `Menu` and `MenuItem` as models: what would be shown, and what a click does. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';

type Template = readonly (Electron.MenuItemConstructorOptions | MenuItem)[];

export class MenuItem {
  readonly label: string;
  readonly type: NonNullable<Electron.MenuItemConstructorOptions['type']>;
  readonly enabled: boolean;
  readonly visible: boolean;
  readonly checked: boolean;
  readonly sublabel: string;
  readonly toolTip: string;
  readonly icon?: Electron.MenuItemConstructorOptions['icon'];
  readonly accelerator: string | null;
  readonly submenu: Menu | undefined;
  readonly click: (...args: unknown[]) => void;
  constructor(options: Electron.MenuItemConstructorOptions) {
    const { submenu } = options;
    this.label = options.label ?? '';
    this.type = options.type ?? (submenu ? 'submenu' : 'normal');
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.icon = options.icon;
    this.accelerator = options.accelerator ?? null;
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as Menu | undefined);
    // A disabled item ignores clicks, as on a real desktop.
    this.click = () => {
      if (this.enabled) options.click?.(this as unknown as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent);
    };
  }
}

/** A test emits `menu-will-show` and `menu-will-close` on it. */
export class Menu extends EventEmitter implements Pick<Electron.Menu, 'popup' | 'closePopup'> {
  readonly items: MenuItem[] = [];
  static buildFromTemplate(template: Template): Menu {
    const menu = new Menu();
    for (const entry of template) menu.items.push(entry instanceof MenuItem ? entry : new MenuItem(entry));
    return menu;
  }
  static setApplicationMenu(): void {}
  static getApplicationMenu(): Menu | null {
    return null;
  }
  append(item: MenuItem): void {
    this.items.push(item);
  }
  popup(): void {
    desktop.popups.push(this);
  }
  closePopup(): void {}
}
