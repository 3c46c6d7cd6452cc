/**
 * The cards of the settings section General: appearance, and how the app behaves on this computer, such as autostart,
 * notifications and updates.
 */
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { PALETTES } from '../../../../api/page-palettes.ts';
import { LANGUAGES } from '../../../../common/ui-languages.ts';
import { Card } from '../../../components/card.tsx';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { useHostAnswer } from '../../../stores/use-host-answer.ts';
import { Row, Setting } from '../setting-row.tsx';
import styles from './general-cards.module.css';
import { useUpdateStatusText } from './use-update-status.ts';

/** Represents null: a radio button needs a value. */
const ACCOUNT = 'account';

/** Palette choice with a preview of each palette. */
const PaletteChoice = () => {
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

const THEMES = ['system', 'light', 'dark'] as const;
const LANGUAGE_CHOICES = ['system', ...LANGUAGES] as const;

/** Theme, language and palette; changes take effect immediately. */
export const AppearanceCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const theme = useApp(({ settings }) => settings.theme);
  const language = useApp(({ settings }) => settings.language);
  return (
    <Card title={t.settings.appearance}>
      <Row id="theme">
        <RadioChoice
          look="segments"
          label={t.settings.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, title: t.settings.themes[value] }))}
          onChange={(value) => void engine.updateSettings({ theme: value })}
        />
      </Row>
      <Row id="language">
        <RadioChoice
          look="segments"
          label={t.settings.language}
          value={language}
          options={LANGUAGE_CHOICES.map((value) => ({ value, title: t.settings.languages[value] }))}
          onChange={(value) => void engine.updateSettings({ language: value })}
        />
      </Row>
      <Row id="palette">
        <PaletteChoice />
      </Row>
    </Card>
  );
};

const CLOSE_CHOICES = ['ask', 'keep', 'quit'] as const;

/** App behaviour on this computer: autostart, notifications and updates. */
export const SystemCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const { tray, overlay, explorerMenu: hasExplorer, terminalCommand: hasCommand } = useApp((app) => app.capabilities);
  const startAtLogin = useApp(({ settings }) => settings.startAtLogin);
  const closeWithoutTray = useApp(({ settings }) => settings.closeWithoutTray);
  const explorerMenu = useApp(({ settings }) => settings.explorerMenu);
  const terminalCommand = useApp(({ settings }) => settings.terminalCommand);
  const toast = useApp(({ settings }) => settings.toast);
  const trayIcon = useHostAnswer('app.trayIcon', {}).answer;
  const isTrayHidden = trayIcon?.ok === true && trayIcon.value.state === 'hidden';
  return (
    <Card title={t.settingsMore.system}>
      {tray && (
        <Row id="startAtLogin">
          <Toggle
            label={words.startAtLogin}
            hint={isTrayHidden ? words.startAtLoginHidden : words.startAtLoginHint}
            isOn={startAtLogin}
            onChange={(isOn) => void engine.updateSettings({ startAtLogin: isOn })}
          />
        </Row>
      )}
      {isTrayHidden && <Setting id="trayIcon" label={words.trayIcon} hint={words.trayIconHidden} />}
      {isTrayHidden && (
        <Row id="closeWithoutTray">
          <RadioChoice
            look="segments"
            label={words.closeWithoutTray}
            value={closeWithoutTray}
            options={CLOSE_CHOICES.map((value) => ({ value, title: words.closeWithoutTrayChoices[value] }))}
            onChange={(value) => void engine.updateSettings({ closeWithoutTray: value })}
          />
        </Row>
      )}
      {hasExplorer && (
        <Row id="explorerMenu">
          <Toggle
            label={words.explorerMenu}
            hint={words.explorerMenuHint}
            isOn={explorerMenu}
            onChange={(isOn) => void engine.updateSettings({ explorerMenu: isOn })}
          />
        </Row>
      )}
      {hasCommand && (
        <Row id="terminalCommand">
          <Toggle
            label={words.terminalCommand}
            hint={words.terminalCommandHint}
            isOn={terminalCommand}
            onChange={(isOn) => void engine.updateSettings({ terminalCommand: isOn })}
          />
        </Row>
      )}
      {overlay !== 'none' && (
        <Row id="toast">
          <Toggle
            label={words.toast}
            hint={words.toastHint}
            isOn={toast === 'show'}
            onChange={(isOn) => void engine.updateSettings({ toast: isOn ? 'show' : 'hide' })}
          />
        </Row>
      )}
      <Updates />
    </Card>
  );
};

const Updates = () => {
  const { t } = useLocale();
  return <Setting id="updates" label={t.settingsMore.updates.label} hint={useUpdateStatusText()} />;
};
