/** Form controls for the visibility, expiry and one-time access of a link. */

import type { ReactNode } from 'react';
import { type ShareFields, TTLS, type Ttl, VISIBILITIES, type Visibility } from '../../../api/content.ts';
import { useLocale } from '../../locales/locale.tsx';
import choices from '../fields/choices.module.css';
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
  readonly isDisabled?: boolean;
  /** Called with one change at a time. */
  readonly onChange: (change: LinkChange) => void;
  /** The choice of an exact expiry, after the usual ones. */
  readonly custom?: {
    readonly isChosen: boolean;
    readonly onChosen: (isChosen: boolean) => void;
    /** Shown while it is chosen. */
    readonly field: ReactNode;
  };
}

const CUSTOM = 'custom';

export const LinkOptions = ({ value, isDisabled = false, onChange, custom }: LinkOptionsProps) => {
  const { t, format } = useLocale();
  const words = t.linkOptions;
  const ttls = TTLS.map((ttl) => ({ value: ttl, title: words.ttl[ttl] }));
  return (
    <div className={choices.choices}>
      <RadioChoice
        look="segments"
        label={words.visibility}
        value={value.visibility}
        isDisabled={isDisabled}
        options={VISIBILITIES.map((visibility) => ({ value: visibility, title: t.library.visibility[visibility] }))}
        onChange={(visibility) => onChange({ visibility })}
      />
      <RadioChoice<Ttl | typeof CUSTOM>
        look="segments"
        label={words.expiry}
        value={custom?.isChosen ? CUSTOM : value.ttl}
        isDisabled={isDisabled}
        options={custom ? [...ttls, { value: CUSTOM, title: words.customExpiry }] : ttls}
        onChange={(chosen) => {
          custom?.onChosen(chosen === CUSTOM);
          if (chosen !== CUSTOM) onChange({ ttl: chosen });
        }}
      />
      {custom?.isChosen && custom.field}
      {value.endsAt && <p className={styles.end}>{words.endsAt(format.dateTime(value.endsAt))}</p>}
      <Toggle
        label={words.oneTime}
        hint={words.oneTimeHint}
        isOn={value.oneTime}
        isDisabled={isDisabled}
        onChange={(oneTime) => onChange({ oneTime })}
      />
    </div>
  );
};
