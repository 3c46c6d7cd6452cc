/** Bar with the actions for the selected items of the library; shown while any are selected. */

import { Copy, Plus, SlidersHorizontal, Trash2, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { DialogTrigger } from 'react-aria-components/Dialog';
import { LIMITS } from '../../../api/limits.ts';
import { exceedTagLimits, tagsOfLine } from '../../../api/tag-rules.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import type { ItemChange } from '../../../ipc/protocol/link-settings.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { LinkOptions, type LinkOptionsValue } from '../../components/links/link-options.tsx';
import { Popover } from '../../components/overlays/popover.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores, useFailedChanges, useLibrary, usePending } from '../../stores/use-app-stores.tsx';
import styles from './selection-bar.module.css';
import selectionTagsStyles from './selection-tags.module.css';

// Values that all selected items share: the initial state of the bulk settings.

/** The value all have in common; undefined where they differ. */
const shared = <Value,>(values: readonly Value[]): Value | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined;

const commonOf = (items: readonly LibraryItem[]): LinkOptionsValue => ({
  visibility: shared(items.map(({ content }) => content.visibility)) ?? null,
  ttl: items.every(({ content }) => content.expiresAt == null) ? 'forever' : null,
  oneTime: items.every(({ content }) => content.oneTime),
  endsAt: null,
});

/** Tags of any of the items, the most frequent first. */
const tagsOf = (items: readonly LibraryItem[]): string[] => {
  const counts = new Map<string, number>();
  for (const tag of items.flatMap(({ content }) => content.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .toSorted(([tag, count], [other, others]) => others - count || tag.localeCompare(other))
    .map(([tag]) => tag);
};

interface SelectionTagsProps {
  readonly items: readonly LibraryItem[];
  readonly onChange: (change: Pick<ItemChange, 'addTags' | 'removeTags'>) => void;
}

/** Edits the tags of the selected items: removes a tag from all of them, or adds new ones to each. */
const SelectionTags = ({ items, onChange }: SelectionTagsProps) => {
  const { t } = useLocale();
  const words = t.library.tags;
  const name = useId();
  const container = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const { tagsMax, tagMaxCharacters } = LIMITS;
  const wanted = tagsOfLine(typed);
  const isTooMuch = exceedTagLimits(wanted);
  const add = (): void => {
    if (isTooMuch || wanted.length === 0) return;
    onChange({ addTags: wanted });
    setTyped('');
    setAnnouncement(words.added(wanted.join(', ')));
  };
  const remove = (tag: string, { parentElement: item }: Element): void => {
    // The button is unmounted; focus moves to a neighbouring tag, or to the input.
    const beside = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = beside?.querySelector('button') ?? container.current?.querySelector('input');
    next?.focus();
    onChange({ removeTags: [tag] });
    setAnnouncement(words.removed(tag));
  };
  const tags = tagsOf(items);
  // Keeps the focused input in view when lines are added above it or an error below.
  const lines = `${isTooMuch} ${tags.join()}`;
  useEffect(() => {
    const field = container.current?.lastElementChild;
    if (lines && field?.matches(':focus-within')) field.scrollIntoView({ block: 'nearest' });
  }, [lines]);
  return (
    <div ref={container} className={selectionTagsStyles.tags}>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      {tags.length > 0 && (
        <>
          <p id={name} className={selectionTagsStyles.name}>
            {words.has}
          </p>
          <ul className={selectionTagsStyles.list} aria-labelledby={name}>
            {tags.map((tag) => (
              <li key={tag} className={selectionTagsStyles.item}>
                <button
                  type="button"
                  className={selectionTagsStyles.tag}
                  aria-label={words.remove(tag)}
                  title={words.remove(tag)}
                  onClick={({ currentTarget }) => remove(tag, currentTarget)}
                >
                  <span className={selectionTagsStyles.word}>{tag}</span>
                  <X size={14} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <TextField
        label={words.add}
        placeholder={t.item.settings.tagsHint}
        error={isTooMuch ? t.item.settings.tagsWrong(tagsMax, tagMaxCharacters) : null}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
          if (event.key !== 'Escape' || typed === '') return;
          // Esc clears the input first and closes the dialog the second time.
          event.preventDefault();
          setTyped('');
        }}
        aside={
          <IconButton
            tone="outline"
            icon={Plus}
            label={words.add}
            isDisabled={isTooMuch || wanted.length === 0}
            onPress={add}
          />
        }
      />
    </div>
  );
};

/** Pixels between the bar and a toast above it. */
const GAP = 8;

/** Keeps toasts above the bar while it is shown. */
const useFloor = () => {
  const floor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = floor.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const watcher = new ResizeObserver(() => style.setProperty('--floor', `${element.offsetHeight + GAP}px`));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      style.removeProperty('--floor');
    };
  }, []);
  return floor;
};

export const SelectionBar = () => {
  const { selected } = useLibrary();
  return selected.size === 0 ? null : <Bar />;
};

/** Repeats the newest failed change inside the dialog, because the page below is inert while it is open. */
const FailedChangesNotice = () => {
  const { t, failure: describe } = useLocale();
  const words = t.item.refused;
  const last = useFailedChanges(null).at(-1);
  const isSome = last && last.outcome === 'unchanged' && last.ids.length < last.asked;
  return (
    <p role="alert" className={styles.refused}>
      {last && `${last.outcome === 'unchanged' ? words.title : words.unknownTitle}: ${describe(last.failure).title}. `}
      {isSome && words.keptSome(last.ids.length, last.asked)}
    </p>
  );
};

const Bar = () => {
  const { changes, library, links, removal } = useAppStores();
  const { t } = useLocale();
  const { selected, items } = useLibrary();
  const pending = usePending();
  const bar = useFloor();
  const ids = [...selected];
  const shown = items.filter(({ id }) => selected.has(id)).map((item) => changes.withPending(item, pending));
  const common: LinkOptionsValue = commonOf(shown);
  const change = (change: ItemChange): void => void changes.make(ids, change);
  return (
    <div ref={bar} className={styles.bar} role="toolbar" aria-label={t.library.chosenLabel}>
      <IconButton icon={X} label={t.library.chooseNone} onPress={library.clearSelection} />
      <p className={styles.count}>{t.library.chosen(selected.size)}</p>
      <Button icon={Copy} onPress={() => void links.copyAll(ids)}>
        {t.library.copyLinks}
      </Button>
      <DialogTrigger>
        <Button icon={SlidersHorizontal}>{t.library.change}</Button>
        <Popover label={t.library.change} placement="top end" size="wide">
          <LinkOptions value={common} onChange={change} />
          <SelectionTags items={shown} onChange={change} />
          <FailedChangesNotice />
        </Popover>
      </DialogTrigger>
      <Button tone="danger" icon={Trash2} onPress={() => void removal.remove(ids)}>
        {t.library.delete}
      </Button>
    </div>
  );
};
