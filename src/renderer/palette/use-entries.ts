/** Entries of the palette for a query: commands by their names in every language, links from the library search. */

import { Link2, type LucideIcon, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { LibraryItem } from '../../ipc/protocol/state.ts';
import { IS_MAC } from '../components/indicators/kbd.tsx';
import { useFileInput } from '../file-input/file-input.tsx';
import type { Messages } from '../locales/en.ts';
import { useLocale } from '../locales/locale.tsx';
import { titleOf } from '../screens/library/library-item.ts';
import { labelsOf } from '../screens/settings/hotkeys/accelerator.ts';
import { useApp, useAppStores, useEveryLanguage, useScreen, useToasts } from '../stores/use-app-stores.tsx';
import { COMMAND_IDS, COMMANDS, type Command, type CommandId, type PaletteContext } from './commands.ts';
import { copyLink, isShareable } from './link-entry.ts';
import { matchesQuery } from './match-query.ts';
import { SHORTCUTS } from './shortcuts.ts';

export interface Entry {
  readonly id: string;
  readonly group: Command['group'] | 'links';
  readonly icon: LucideIcon;
  readonly name: string;
  readonly keys: readonly string[] | null;
  readonly run: () => void;
  /** Runs with Ctrl+Enter. */
  readonly open?: () => void;
}

/** Long enough to type two letters, short enough to feel immediate. */
const DEBOUNCE_MS = 150;
const LINKS_MAX = 6;

const namesOf = (id: CommandId, languages: readonly Messages[]): readonly string[] =>
  languages.flatMap(({ palette: { commands } }) => [commands[id].name, commands[id].also]);

/** The latest working links that match; only the newest response counts. */
const useLinks = (typed: string): readonly LibraryItem[] => {
  const { engine } = useAppStores();
  const [items, setItems] = useState<readonly LibraryItem[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const searchLinks = async (): Promise<void> => {
      // Errors show no links here; the offered library search explains them.
      const found = await engine.ask('library.search', { text: typed, sort: 'newest', limit: LINKS_MAX });
      if (isCurrent) setItems(found.ok ? found.value.items : []);
    };
    const pause = setTimeout(() => void searchLinks(), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(pause);
    };
  }, [engine, typed]);
  return items.filter(isShareable);
};

export const useEntries = (typed: string, showShortcuts: () => void): readonly Entry[] => {
  const page = useAppStores();
  const fileInput = useFileInput();
  const screen = useScreen();
  const app = useApp((snapshot) => snapshot);
  const { t } = useLocale();
  const languages = useEveryLanguage();
  const items = useLinks(typed);
  useToasts();

  const now: PaletteContext = { app, screen, page, fileInput, showShortcuts };
  const keysOf = ({ key, hotkey }: Command): readonly string[] | null => {
    if (key) return SHORTCUTS.window[key][0];
    const asked = app.hotkeys.keys.find(({ action, state }) => action === hotkey && state === 'asked');
    return asked?.accelerator ? labelsOf(asked.accelerator, IS_MAC) : null;
  };

  const commands = COMMAND_IDS.flatMap((id): readonly Entry[] => {
    const command = COMMANDS[id];
    if (!(command.when?.(now) ?? true) || !matchesQuery(typed, namesOf(id, languages))) return [];
    const { group, icon } = command;
    return [{ id, group, icon, name: t.palette.commands[id].name, keys: keysOf(command), run: () => command.run(now) }];
  });
  const links = items.map((item): Entry => {
    const acts = { run: () => void copyLink(page, item), open: () => page.links.open(item.id, item.content.url) };
    return { id: item.id, group: 'links', icon: Link2, name: titleOf(item), keys: null, ...acts };
  });
  const text = typed.trim();
  const search: Entry = {
    id: 'search',
    group: 'links',
    icon: Search,
    name: t.palette.searchFor(text),
    keys: null,
    run: () => {
      page.library.search(text);
      page.view.search();
    },
  };
  return [...commands, ...links, ...(text === '' ? [] : [search])];
};
