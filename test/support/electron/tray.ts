/** `Tray` as a model: its icon, its tooltip, its menu. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop } from './desktop.ts';
import { needsReady } from './life-cycle.ts';
import type { Menu, MenuItem } from './menu.ts';

type Doubled =
  | 'setContextMenu'
  | 'setImage'
  | 'setToolTip'
  | 'setTitle'
  | 'destroy'
  | 'isDestroyed'
  | 'popUpContextMenu';

export class Tray extends EventEmitter implements Pick<Electron.Tray, Doubled> {
  contextMenu: Menu | null = null;
  image: string | Electron.NativeImage;
  toolTip = '';
  #isDestroyed = false;
  constructor(image: string | Electron.NativeImage) {
    super();
    needsReady('Tray');
    this.image = image;
    desktop.trays.push(this);
  }
  /** The items of its menu; empty before it has one. */
  get menu(): readonly MenuItem[] {
    return this.contextMenu?.items ?? [];
  }
  setContextMenu(menu: Electron.Menu | null): void {
    this.contextMenu = menu as unknown as Menu | null;
  }
  setImage(image: string | Electron.NativeImage): void {
    this.image = image;
  }
  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }
  setTitle(): void {}
  popUpContextMenu(): void {}
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  destroy(): void {
    this.#isDestroyed = true;
    desktop.trays = desktop.trays.filter((tray) => tray !== this);
  }
}
