/**
 * The tray icon. Icon and tooltip show a recording, else failed items, else the progress of the queue; `tray-menu.ts`
 * makes its menu, which is not replaced while it is open; most desktops of Linux do not report when it is.
 */
import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { Engine } from '../../engine/engine.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { createQueueProgress, type QueueProgress } from '../../ipc/protocol/queue-progress-tracker.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import type { PinsShown } from '../windows/pins.ts';
import { summaryOf } from './queue-summary.ts';
import { RECENT_LINKS, type TrayAction, type TrayEntry, trayMenu } from './tray-menu.ts';

/** Some of the newest may be deleted at the service. */
const LOOKED_AT = 3 * RECENT_LINKS;

export interface AppTray {
  follow(event: AppEvent): void;
  /** Call when what `pins` returns has changed. */
  draw(): void;
  close(): void;
}

export interface AppTrayDeps {
  readonly engine: { readonly library: Pick<Engine['library'], 'search'> };
  readonly messages: () => DesktopTexts;
  readonly act: (action: TrayAction) => void;
  readonly iconDir: string;
  readonly platform: NodeJS.Platform;
  /** Null where images cannot be pinned. */
  readonly pins: () => PinsShown | null;
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

export const createAppTray = ({ engine, messages, act, iconDir, platform, pins }: AppTrayDeps): AppTray => {
  const pathOf = (icon: string): string => join(iconDir, 'tray', `${icon}.png`);
  const tray = new Tray(pathOf('idle'));
  // Elsewhere a click opens the menu, and macOS reports it besides.
  if (platform === 'win32') tray.on('click', () => act({ do: 'show', screen: 'home' }));
  let icon = 'idle';
  let tip = '';
  let drawn = '';
  let isOpen = false;
  let state: AppState | null = null;
  const followBatch = createQueueProgress();
  let batch: QueueProgress | null = null;

  const drawMenu = (): void => {
    if (!state || isOpen) return;
    const found = engine.library.search({ text: '', limit: LOOKED_AT });
    const recent = found.ok ? found.value.items : [];
    const style = platform === 'linux' ? 'menus' : 'clicks';
    const entries = trayMenu({ state, batch, recent, messages: messages(), style, pins: pins() });
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
    draw: drawMenu,
    close: () => tray.destroy(),
  };
};

// The tray icon and its tooltip: a recording first, then what needs the user, then the progress of the queue.

/** Files `resources/tray/<name>.png`; the steps of `progress` are quarters. */
export const TRAY_ICONS = [
  'idle',
  'progress-0',
  'progress-1',
  'progress-2',
  'progress-3',
  'recording',
  'failure',
] as const;
type TrayIcon = (typeof TRAY_ICONS)[number];

interface TrayIconState {
  readonly icon: TrayIcon;
  readonly tip: string;
}

const QUARTERS = ['progress-0', 'progress-1', 'progress-2', 'progress-3'] as const;

export const trayIconState = (
  { queue, recording }: Pick<AppState, 'queue' | 'recording'>,
  batch: QueueProgress | null,
  { tip }: DesktopTexts,
): TrayIconState => {
  switch (recording?.state) {
    case 'countdown':
    case 'recording':
      return { icon: 'recording', tip: tip.recording };
    case 'paused':
      return { icon: 'recording', tip: tip.recordingPaused };
  }
  const { waiting, failed, isPaused, part } = summaryOf(queue, batch);
  if (failed > 0) return { icon: 'failure', tip: tip.failed(failed) };
  if (waiting === 0) return { icon: 'idle', tip: tip.idle };
  if (isPaused) return { icon: 'idle', tip: tip.paused(waiting) };
  const percent = part === null ? null : Math.floor(part * 100);
  return { icon: QUARTERS[Math.min(3, Math.floor((part ?? 0) * 4))] ?? 'progress-0', tip: tip.busy(waiting, percent) };
};
