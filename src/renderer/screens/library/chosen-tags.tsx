/** The tags of the chosen items: one is taken off all of them at a press, new ones come to those that each has. */

import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ItemChange } from '../../../contract/app/link-settings.ts';
import type { LibraryItem } from '../../../contract/app/state.ts';
import { LIMITS } from '../../../contract/service/limits.ts';
import { tagsOfLine } from '../../../contract/service/tags.ts';
import { useLocale } from '../../locales/locale.tsx';
import { IconButton } from '../../parts/buttons/button.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import styles from './chosen-tags.module.css';
import { tagsOf } from './common.ts';

interface ChosenTagsProps {
  readonly items: readonly LibraryItem[];
  readonly onChange: (change: Pick<ItemChange, 'addTags' | 'removeTags'>) => void;
}

export const ChosenTags = ({ items, onChange }: ChosenTagsProps) => {
  const { t } = useLocale();
  const words = t.library.tags;
  const name = useId();
  const whole = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const { tagsMax, tagMaxCharacters } = LIMITS;
  const wanted = tagsOfLine(typed);
  const isTooMuch = wanted.length > tagsMax || wanted.some((tag) => [...tag].length > tagMaxCharacters);
  const add = (): void => {
    if (isTooMuch || wanted.length === 0) return;
    onChange({ addTags: wanted });
    setTyped('');
  };
  const remove = (tag: string, { parentElement: item }: Element): void => {
    // It goes; the keyboard stays among the tags, or comes to the field.
    const beside = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = beside?.querySelector('button') ?? whole.current?.querySelector('input');
    next?.focus();
    onChange({ removeTags: [tag] });
  };
  const tags = tagsOf(items);
  return (
    <div ref={whole} className={styles.tags}>
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
