/** Edits the tags of the selected items: removes a tag from all of them, or adds new ones to each. */

import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { LIMITS } from '../../../api/limits.ts';
import { exceedTagLimits, tagsOfLine } from '../../../api/tags.ts';
import type { ItemChange } from '../../../ipc/protocol/link-settings.ts';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { IconButton } from '../../components/buttons/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../locales/locale.tsx';
import styles from './selection-tags.module.css';
import { tagsOf } from './shared-values.ts';

interface SelectionTagsProps {
  readonly items: readonly LibraryItem[];
  readonly onChange: (change: Pick<ItemChange, 'addTags' | 'removeTags'>) => void;
}

export const SelectionTags = ({ items, onChange }: SelectionTagsProps) => {
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
    <div ref={container} className={styles.tags}>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      {tags.length > 0 && (
        <>
          <p id={name} className={styles.name}>
            {words.has}
          </p>
          <ul className={styles.list} aria-labelledby={name}>
            {tags.map((tag) => (
              <li key={tag} className={styles.item}>
                <button
                  type="button"
                  className={styles.tag}
                  aria-label={words.remove(tag)}
                  title={words.remove(tag)}
                  onClick={({ currentTarget }) => remove(tag, currentTarget)}
                >
                  <span className={styles.word}>{tag}</span>
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
