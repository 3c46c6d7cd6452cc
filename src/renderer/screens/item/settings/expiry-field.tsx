/** Exact expiry of the link in this computer's time zone. */

import { useState } from 'react';
import { useLocale } from '../../../locales/locale.tsx';
import { Field } from './setting-field.tsx';
import { useMissingFeature } from './use-feature.ts';

const DAY_MS = 86_400_000;

const two = (value: number): string => String(value).padStart(2, '0');
/** In the format of a `datetime-local` input. */
const localOf = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

interface EndFieldProps {
  readonly endsAt: Date | null;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly onChange: (expiresAt: string | null) => void;
}

export const EndField = ({ endsAt, now, onChange }: EndFieldProps) => {
  const { t, format } = useLocale();
  const words = t.item.settings;
  const missing = useMissingFeature('link_expiry');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? localOf(endsAt ?? new Date(now + DAY_MS));
  return (
    <Field
      label={words.end}
      hint={endsAt ? format.dateTime(endsAt) : (missing ?? words.endNever)}
      action={missing === null ? words.change : null}
      onRemove={endsAt && (() => onChange(null))}
      input={(props) => (
        <input
          {...props}
          type="datetime-local"
          value={shown}
          min={localOf(new Date(now))}
          required
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      onSave={() => {
        const at = new Date(shown);
        if (!(at.getTime() > now)) return words.endPast;
        onChange(at.toISOString());
        setTyped(null);
        return null;
      }}
    />
  );
};
