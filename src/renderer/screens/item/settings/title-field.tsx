/** Title of an item; saved with Enter or on blur. */

import { TextField } from '../../../components/fields/text-field.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { useLocale } from '../../../locales/locale.tsx';

interface TitleFieldProps {
  readonly title: string;
  readonly onChange: (title: string) => void;
}

export const TitleField = ({ title, onChange }: TitleFieldProps) => {
  const { t } = useLocale();
  const [typed, setTyped] = useFieldDraft(title);
  const save = (): void => {
    const wanted = typed.trim();
    setTyped(wanted);
    if (wanted !== title) onChange(wanted);
  };
  return (
    <TextField
      label={t.item.settings.name}
      error={null}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape' || typed === title) return;
        event.preventDefault();
        setTyped(title);
      }}
    />
  );
};
