/** Visibility, expiry and one-time settings of a link. */

import { type ShareFields, TTLS, type Ttl, VISIBILITIES, type Visibility } from '../../../api/content.ts';
import { useLocale } from '../../locales/locale.tsx';
import { RadioChoice } from '../fields/radio-choice.tsx';
import { Toggle } from '../fields/toggle.tsx';
import styles from './link-options.module.css';

export interface LinkOptionsValue {
  /** Null: not known yet. */
  readonly visibility: Visibility | null;
  /** Null: a custom expiry, see `endsAt`. */
  readonly ttl: Ttl | null;
  readonly oneTime: boolean;
  readonly endsAt: Date | null;
}

export type LinkChange = Pick<ShareFields, 'visibility' | 'ttl' | 'oneTime'>;

interface LinkOptionsProps {
  readonly value: LinkOptionsValue;
  /** Called with one change at a time. */
  readonly onChange: (change: LinkChange) => void;
}

export const LinkOptions = ({ value, onChange }: LinkOptionsProps) => {
  const { t, format } = useLocale();
  const words = t.panels.link;
  return (
    <div className={styles.options}>
      <RadioChoice
        look="segments"
        label={words.visibility}
        value={value.visibility}
        options={VISIBILITIES.map((visibility) => ({ value: visibility, title: t.library.visibility[visibility] }))}
        onChange={(visibility) => onChange({ visibility })}
      />
      <RadioChoice
        look="segments"
        label={words.expiry}
        value={value.ttl}
        options={TTLS.map((ttl) => ({ value: ttl, title: words.ttl[ttl] }))}
        onChange={(ttl) => onChange({ ttl })}
      />
      {value.endsAt && <p className={styles.end}>{words.endsAt(format.dateTime(value.endsAt))}</p>}
      <Toggle
        label={words.oneTime}
        hint={words.oneTimeHint}
        isOn={value.oneTime}
        onChange={(oneTime) => onChange({ oneTime })}
      />
    </div>
  );
};
