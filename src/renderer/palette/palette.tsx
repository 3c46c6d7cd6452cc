/**
 * The command palette: typing filters the commands and finds links of the library; arrows select an entry, Enter runs
 * it or copies the link, Ctrl+Enter opens the link.
 */

import { Link2, type LucideIcon, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { LibraryItem } from '../../ipc/protocol/library-item.ts';
import { Keys } from '../components/indicators/kbd.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { cx } from '../design/class-names.ts';
import { useFileInput } from '../file-input/file-input.tsx';
import { workingKeysOf } from '../keyboard/accelerator.ts';
import { IS_MAC, isCommandKey } from '../keyboard/key-events.ts';
import { windowShortcutsOf } from '../keyboard/shortcuts.ts';
import type { Messages } from '../locales/en.ts';
import { useLocale } from '../locales/locale.tsx';
import { matchesQuery } from '../locales/match-query.ts';
import { titleOf } from '../stores/published/item-title.ts';
import { useApp, useAppStores, useEveryLanguage, useScreen, useToasts } from '../stores/use-app-stores.tsx';
import { COMMAND_IDS, COMMANDS, type Command, type CommandId, type PaletteContext } from './commands.ts';
import { copyLink, isShareable } from './library-links.ts';
import styles from './palette.module.css';
import { type DialogProps, PaletteDialogFrame } from './palette-dialog-frame.tsx';

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

/** The latest working links that match; none until the query is answered, since Enter must not copy another link. */
const useLinks = (typed: string): readonly LibraryItem[] => {
  const { engine } = useAppStores();
  const [answered, setAnswered] = useState<{ readonly typed: string; readonly items: readonly LibraryItem[] } | null>(
    null,
  );
  useEffect(() => {
    let isCurrent = true;
    const searchLinks = async (): Promise<void> => {
      // Errors show no links here; the offered library search explains them.
      const found = await engine.ask('library.search', {
        text: typed,
        state: 'live',
        sort: 'newest',
        limit: LINKS_MAX,
      });
      if (isCurrent) setAnswered({ typed, items: found.ok ? found.value.items : [] });
    };
    const pause = setTimeout(() => void searchLinks(), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(pause);
    };
  }, [engine, typed]);
  return answered?.typed === typed ? answered.items.filter(isShareable) : [];
};

/** Entries of the palette for a query: commands by their names in every language, links from the library search. */
const useEntries = (typed: string, showShortcuts: () => void): readonly Entry[] => {
  const stores = useAppStores();
  const fileInput = useFileInput();
  const screen = useScreen();
  const app = useApp((snapshot) => snapshot);
  const { t } = useLocale();
  const languages = useEveryLanguage();
  const items = useLinks(typed);
  useToasts();

  const now: PaletteContext = { app, screen, stores, fileInput, showShortcuts };
  const keysOf = ({ key, hotkey }: Command): readonly string[] | null => {
    if (key) return windowShortcutsOf(app.capabilities)[key][0];
    const found = app.hotkeys.keys.find(({ action }) => action === hotkey);
    return found ? workingKeysOf(found, IS_MAC) : null;
  };

  const commands = COMMAND_IDS.flatMap((id): readonly Entry[] => {
    const command = COMMANDS[id];
    if (!(command.when?.(now) ?? true) || !matchesQuery(typed, namesOf(id, languages))) return [];
    const { group, icon } = command;
    return [{ id, group, icon, name: t.palette.commands[id].name, keys: keysOf(command), run: () => command.run(now) }];
  });
  const links = items.map((item): Entry => {
    const acts = { run: () => void copyLink(stores, item), open: () => stores.links.open(item.id, item.content.url) };
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
      stores.library.search(text);
      stores.view.search();
    },
  };
  return [...commands, ...links, ...(text === '' ? [] : [search])];
};

/** The entry that a key selects, wrapping around at both ends; null: not a navigation key. */
const ledTo = (key: string, at: number, count: number): number | null => {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
};

export const Palette = ({ close, showShortcuts }: DialogProps) => {
  const { t } = useLocale();
  const words = t.palette;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState<string | null>(null);
  const entries = useEntries(typed, showShortcuts);
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === marked),
  );
  const current = entries[at];
  const groups = [...new Set(entries.map(({ group }) => group))];
  const idOf = (entry: Entry): string => `${id}-${entry.id}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps the selected entry in view
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  const act = (entry: Entry, way: 'run' | 'open'): void => {
    close();
    if (way === 'open' && entry.open) entry.open();
    else entry.run();
  };

  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const next = ledTo(event.key, at, entries.length);
    if (next !== null) setMarked(entries[next]?.id ?? null);
    else if (event.key === 'Enter' && current) act(current, isCommandKey(event) ? 'open' : 'run');
    else return;
    event.preventDefault();
  };

  return (
    <PaletteDialogFrame label={words.title} close={close}>
      <div className={styles.head}>
        <Search size={18} aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-label={words.title}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={current ? idOf(current) : undefined}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to type
          autoFocus
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setMarked(null);
          }}
          onKeyDown={press}
        />
      </div>
      <VisuallyHidden live>{typed === '' ? '' : words.found(String(entries.length))}</VisuallyHidden>
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label={words.results}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box cannot contain a fieldset
          <div key={group} role="group" aria-labelledby={`${id}-${group}`} className={styles.group}>
            <p id={`${id}-${group}`} className={styles.heading}>
              {words.groups[group]}
            </p>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Option
                  key={entry.id}
                  id={idOf(entry)}
                  entry={entry}
                  isMarked={entry === current}
                  onMark={() => setMarked(entry.id)}
                  onAct={(way) => act(entry, way)}
                />
              ))}
          </div>
        ))}
      </div>
      <Hints canOpen={entries.some(({ open }) => open)} />
    </PaletteDialogFrame>
  );
};

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly onAct: (way: 'run' | 'open') => void;
}

const Option = ({ id, entry, isMarked, onMark, onAct }: OptionProps) => {
  const { t } = useLocale();
  const { icon: Icon, name, keys, open } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus stays in the input, which handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className={cx(styles.option, isMarked && styles.marked)}
      // Not on pointer enter: scrolling the list under a resting pointer must not select anything.
      onPointerMove={() => !isMarked && onMark()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onAct(isCommandKey(event) ? 'open' : 'run')}
    >
      <Icon size={18} strokeWidth={1.8} aria-hidden />
      <span className={styles.name} title={name}>
        {name}
      </span>
      {keys && <Keys keys={keys} look="quiet" />}
      {open && <span className={styles.aside}>{t.link.copy}</span>}
    </div>
  );
};

/** Visual only: screen readers explain a combo box themselves. */
const Hints = ({ canOpen }: { readonly canOpen: boolean }) => {
  const { hints } = useLocale().t.palette;
  return (
    <div className={styles.hints} aria-hidden>
      <Hint keys={['↑ ↓']} words={hints.move} />
      <Hint keys={['Enter']} words={hints.run} />
      {canOpen && <Hint keys={['Mod', 'Enter']} words={hints.open} />}
      <Hint keys={['Esc']} words={hints.close} />
    </div>
  );
};

const Hint = ({ keys, words }: { readonly keys: readonly string[]; readonly words: string }) => (
  <span className={styles.hint}>
    <Keys keys={keys} />
    {words}
  </span>
);
