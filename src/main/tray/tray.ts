/** The tray icon: renders `tray-menu.ts` and `tray-icon.ts` from the state. An open menu is not replaced. */
import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { Engine } from '../../engine/engine.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { createQueueProgress, type QueueProgress } from '../../ipc/protocol/queue-progress.ts';
import type { Messages } from '../messages.ts';
import { trayIconState } from './tray-icon.ts';
import { RECENT_LINKS, type TrayAction, type TrayEntry, trayMenu } from './tray-menu.ts';

/** Some of the newest may be deleted at the service. */
const LOOKED_AT = 3 * RECENT_LINKS;

export interface AppTray {
  follow(event: AppEvent): void;
  close(): void;
}

export interface AppTrayDeps {
  readonly engine: { readonly library: Pick<Engine['library'], 'search'> };
  readonly messages: () => Messages;
  readonly act: (action: TrayAction) => void;
  readonly iconDir: string;
  readonly platform: NodeJS.Platform;
}

/** `&` would mark an access key. */
const plain = (label: string): string => label.replaceAll('&', '&&');

const optionsOf = (entry: TrayEntry, act: AppTrayDeps['act']): MenuItemConstructorOptions => {
  switch (entry.kind) {
    case 'action':
      return {
        label: plain(entry.label),
        click: () => act(entry.action),
        // Only displayed here: the hotkey itself is registered elsewhere.
        ...(entry.accelerator && { accelerator: entry.accelerator, registerAccelerator: false }),
      };
    case 'menu':
      return { label: plain(entry.label), submenu: entry.entries.map((inner) => optionsOf(inner, act)) };
    case 'text':
      return { label: plain(entry.label), enabled: false };
    case 'line':
      return { type: 'separator' };
  }
};

export const createAppTray = ({ engine, messages, act, iconDir, platform }: AppTrayDeps): AppTray => {
  const pathOf = (icon: string): string => join(iconDir, 'tray', `${icon}.png`);
  const tray = new Tray(pathOf('idle'));
  if (platform !== 'linux') tray.on('click', () => act({ do: 'show', screen: 'home' }));
  let icon = 'idle';
  let tip = '';
  let drawn = '';
  let isOpen = false;
  let state: AppState | null = null;
  const followBatch = createQueueProgress();
  let batch: QueueProgress | null = null;

  const drawMenu = (): void => {
    if (!state || isOpen) return;
    const found = engine.library.search({ text: '' });
    const recent = found.ok ? found.value.items.slice(0, LOOKED_AT) : [];
    const style = platform === 'linux' ? 'menus' : 'clicks';
    const entries = trayMenu({ state, batch, recent, messages: messages(), style });
    const shown = JSON.stringify(entries);
    if (shown === drawn) return;
    drawn = shown;
    const menu = Menu.buildFromTemplate(entries.map((entry) => optionsOf(entry, act)));
    menu.on('menu-will-show', () => {
      isOpen = true;
    });
    menu.on('menu-will-close', () => {
      isOpen = false;
      // The click that closed it is handled first.
      setImmediate(drawMenu);
    });
    tray.setContextMenu(menu);
  };

  const drawIcon = (): void => {
    if (!state) return;
    const look = trayIconState(state, batch, messages());
    if (look.icon !== icon) tray.setImage(pathOf(look.icon));
    if (look.tip !== tip) tray.setToolTip(look.tip);
    ({ icon, tip } = look);
  };

  return {
    follow(event) {
      if (event.type === 'state') {
        ({ state } = event);
        batch = followBatch(state.queue);
      }
      drawIcon();
      drawMenu();
    },
    close: () => tray.destroy(),
  };
};
