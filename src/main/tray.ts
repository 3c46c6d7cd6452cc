/** The tray icon: the ten newest links (a click copies), pause, open, quit. Drawn from the state; it decides nothing. */
import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { AppEvent } from '../contract/ipc.ts';
import type { Engine } from '../engine/engine.ts';

const RECENT_LINKS = 10;
const LABEL_CHARACTERS = 48;

export interface TrayDeps {
  readonly engine: Pick<Engine, 'search' | 'copyLink' | 'pauseAll' | 'resumeAll' | 'state'>;
  readonly show: () => void;
  readonly quit: () => void;
  readonly log: (line: string) => void;
}

/** `&` would mark a shortcut. */
const labelOf = (name: string): string => {
  const short = name.length > LABEL_CHARACTERS ? `${name.slice(0, LABEL_CHARACTERS - 1)}…` : name;
  return short.replaceAll('&', '&&');
};

const templateOf = ({ engine, show, quit, log }: TrayDeps): MenuItemConstructorOptions[] => {
  const recent = engine.search({ text: '' }).items.slice(0, RECENT_LINKS);
  const links = recent.map(
    ({ id, name }): MenuItemConstructorOptions => ({
      label: labelOf(name),
      toolTip: 'Copy the link',
      click: () => {
        void engine.copyLink({ id }).then((copied) => {
          if (!copied.ok) log(`The link was not copied: ${copied.error.detail}`);
        });
      },
    }),
  );
  return [
    ...(links.length > 0 ? links : [{ label: 'No links yet', enabled: false }]),
    { type: 'separator' },
    { label: 'Open Linkshot', click: show },
    engine.state().queue.paused
      ? { label: 'Resume all', click: () => engine.resumeAll() }
      : { label: 'Pause all', click: () => engine.pauseAll() },
    { type: 'separator' },
    { label: 'Quit', click: quit },
  ];
};

export interface AppTray {
  /** Draws the menu anew where the event changes it. */
  follow(event: AppEvent): void;
  close(): void;
}

export const createAppTray = (deps: TrayDeps, iconDir: string): AppTray => {
  const tray = new Tray(join(iconDir, 'tray.png'));
  tray.setToolTip('Linkshot');
  tray.on('click', deps.show);
  let drawn = '';
  const draw = (): void => tray.setContextMenu(Menu.buildFromTemplate(templateOf(deps)));
  return {
    follow: (event) => {
      // Ten snapshots a second during an upload must not close a menu that the person has open.
      const { items, paused } = deps.engine.state().queue;
      const shown = JSON.stringify([paused, items.filter(({ state }) => state === 'linked').map(({ id }) => id)]);
      if (shown === drawn && event.type !== 'linked') return;
      drawn = shown;
      draw();
    },
    close: () => tray.destroy(),
  };
};
