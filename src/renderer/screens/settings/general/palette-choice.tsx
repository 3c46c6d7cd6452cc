/** Palette choice with a preview of each palette. */

import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { PALETTES } from '../../../../ipc/protocol/settings.ts';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './palette-choice.module.css';

/** Represents null: a radio button needs a value. */
const ACCOUNT = 'account';

export const PaletteChoice = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.palette;
  const chosen = useApp(({ settings }) => settings.palette);
  return (
    <RadioGroup
      className={cx(styles.group)}
      orientation="horizontal"
      value={chosen ?? ACCOUNT}
      onChange={(value) => void engine.updateSettings({ palette: PALETTES.find((known) => known === value) ?? null })}
    >
      <Label className={cx(styles.label)}>{words.label}</Label>
      <div className={styles.options}>
        <Radio value={ACCOUNT} className={cx(styles.option)}>
          <span className={cx(styles.swatch, styles.unknown)} aria-hidden />
          {words.account}
        </Radio>
        {PALETTES.map((palette) => (
          <Radio key={palette} value={palette} className={cx(styles.option)}>
            <span className={styles.swatch} data-palette={palette} aria-hidden />
            {words.names[palette]}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
};
