/**
 * Settings card with the hotkey of every action, and with a button that returns Print Screen to the Windows Snipping
 * Tool if Linkshot has taken it. Where the app cannot register global hotkeys, shows instead a command that the user
 * can bind to a key in the desktop's settings; on GNOME, a button binds it. Where the Linux desktop manages the hotkeys
 * (xdg-desktop-portal), shows both.
 */

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { HOTKEY_ACTIONS } from '../../../../ipc/protocol/hotkeys.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { labelsOf } from '../../../keyboard/accelerator.ts';
import { IS_MAC } from '../../../keyboard/key-events.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { SettingCard } from '../setting-card.tsx';
import { SettingLine } from '../setting-row.tsx';
import { HotkeyRow } from './hotkey-row.tsx';
import styles from './hotkeys.module.css';

export const HotkeysCard = () => {
  const { t } = useLocale();
  const words = t.hotkeys;
  const { way, keys, command, commandPlace, replacesSnippingTool, shortcut } = useApp((app) => app.hotkeys);
  if (way === 'none') {
    return (
      <SettingCard id="hotkeys" title={words.card}>
        <p>
          {words.noneTitle}. {words.noneTexts[commandPlace]}
        </p>
        <Command command={command} />
        {shortcut !== 'none' && <Shortcut isSet={shortcut === 'set'} />}
      </SettingCard>
    );
  }
  return (
    <SettingCard id="hotkeys" title={words.card}>
      <p className={styles.hint}>{words.intro}</p>
      <ul className={styles.list} aria-label={words.card}>
        {HOTKEY_ACTIONS.map((action) => (
          <HotkeyRow key={action} action={action} hotkey={keys.find((key) => key.action === action)} />
        ))}
      </ul>
      {replacesSnippingTool && <SnippingTool />}
      {way === 'portal' && (
        <>
          <p className={styles.hint}>{words.portalText}</p>
          <Command command={command} />
        </>
      )}
    </SettingCard>
  );
};

/** Shown while Linkshot has turned off that the Print Screen key opens the Snipping Tool. */
const SnippingTool = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.hotkeys.snippingTool;
  return (
    <SettingLine label={words.replaced} hint={words.replacedHint}>
      <Button onPress={() => void engine.run('hotkeys.replaceSnippingTool', { isOn: false })}>{words.restore}</Button>
    </SettingLine>
  );
};

/** GNOME: Linkshot enters the command itself, if the user wants so. */
const Shortcut = ({ isSet }: { readonly isSet: boolean }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.hotkeys.shortcut;
  const region = useApp(({ effective }) => effective.hotkey);
  const keys = labelsOf(region ?? 'Control+PrintScreen', IS_MAC).join(' + ');
  return (
    <SettingLine label={isSet ? words.isSet(keys) : words.isUnset(keys)} hint={words.hint}>
      <Button onPress={() => void engine.run('hotkeys.setShortcut', { isOn: !isSet })}>
        {isSet ? words.remove : words.set}
      </Button>
    </SettingLine>
  );
};

const SHOWN_MS = 2_000;

const Command = ({ command }: { readonly command: string }) => {
  const { clipboard, toasts } = useAppStores();
  const { t } = useLocale();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const copied = await clipboard.write(command);
    setCopied(copied);
    if (!copied) toasts.show({ kind: 'copyRefused' });
  };
  return (
    <div className={styles.command}>
      <code className={styles.code}>{command}</code>
      <Button icon={isCopied ? Check : Copy} aria-label={t.hotkeys.copyCommand} onPress={() => void copy()}>
        {isCopied ? t.hotkeys.copied : t.link.copy}
      </Button>
      <VisuallyHidden live>{isCopied ? t.hotkeys.copied : ''}</VisuallyHidden>
    </div>
  );
};
