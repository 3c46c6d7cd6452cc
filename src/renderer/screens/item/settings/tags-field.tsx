/** Comma-separated tags of an item; saved with Enter or on blur. */

import { LIMITS } from '../../../../api/limits.ts';
import { exceedTagLimits, tagsOfLine } from '../../../../api/tags.ts';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { useLocale } from '../../../locales/locale.tsx';

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: string[]) => void;
}

export const TagsField = ({ tags, onChange }: TagsFieldProps) => {
  const { t } = useLocale();
  const words = t.item.settings;
  const [typed, setTyped] = useFieldDraft(tags.join(', '));
  const { tagsMax, tagMaxCharacters } = LIMITS;
  const wanted = tagsOfLine(typed);
  const isTooMuch = exceedTagLimits(wanted);
  const save = (): void => {
    if (isTooMuch) return;
    setTyped(wanted.join(', '));
    if (wanted.join() !== tags.join()) onChange(wanted);
  };
  return (
    <TextField
      label={words.tags}
      placeholder={words.tagsHint}
      error={isTooMuch ? words.tagsWrong(tagsMax, tagMaxCharacters) : null}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape' || typed === tags.join(', ')) return;
        event.preventDefault();
        setTyped(tags.join(', '));
      }}
    />
  );
};
