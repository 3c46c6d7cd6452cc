/** Maximum number of views of the link. */

import { useState } from 'react';
import { LIMITS } from '../../../../api/limits.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { Field } from './setting-field.tsx';
import { useMissingFeature } from './use-feature.ts';

const DEFAULT_LIMIT = 10;

interface LimitFieldProps {
  readonly limit: number | null;
  readonly onChange: (limit: number | null) => void;
}

export const LimitField = ({ limit, onChange }: LimitFieldProps) => {
  const { t, format } = useLocale();
  const words = t.item.settings;
  const missing = useMissingFeature('view_limit');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? String(limit ?? DEFAULT_LIMIT);
  return (
    <Field
      label={words.limit}
      hint={limit === null ? (missing ?? words.limitHint) : t.item.views.total(limit)}
      action={missing === null ? words.change : null}
      onRemove={limit === null ? null : () => onChange(null)}
      input={(props) => (
        <input {...props} inputMode="numeric" value={shown} onChange={(event) => setTyped(event.currentTarget.value)} />
      )}
      onSave={() => {
        const wanted = Number(shown.trim());
        if (!Number.isInteger(wanted) || wanted < 1 || wanted > LIMITS.viewLimitMax)
          return words.limitWrong(format.number(LIMITS.viewLimitMax));
        onChange(wanted);
        setTyped(null);
        return null;
      }}
    />
  );
};
