/** Sets, changes and removes the password of a link. A stored password is never shown. */

import { useState } from 'react';
import { LIMITS } from '../../../../api/limits.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { Field } from './setting-field.tsx';

interface PasswordFieldProps {
  readonly isSet: boolean;
  /** Empty: removes the password. */
  readonly onChange: (password: string) => void;
}

export const PasswordField = ({ isSet, onChange }: PasswordFieldProps) => {
  const { t } = useLocale();
  const words = t.item.settings;
  const [typed, setTyped] = useState('');
  const { passwordMinCharacters: least, passwordMaxCharacters: most } = LIMITS;
  return (
    <Field
      label={words.password}
      hint={isSet ? words.passwordSet : words.passwordNone}
      action={isSet ? words.change : words.passwordAdd}
      onRemove={isSet ? () => onChange('') : null}
      input={(props) => (
        <input
          {...props}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      onSave={() => {
        // In code points, as the service counts.
        const length = [...typed.normalize('NFKC')].length;
        if (length < least || length > most) return words.passwordShort(least, most);
        onChange(typed);
        setTyped('');
        return null;
      }}
    />
  );
};
