/** Settings card for troubleshooting: profile folder, network, diagnostic report and reset of the settings. */

import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { DEFAULT_SETTINGS, type Settings } from '../../../ipc/protocol/settings.ts';
import { Button } from '../../components/buttons/button.tsx';
import { Card } from '../../components/card.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './advanced-card.module.css';
import { CopyTextButton } from './copy-text-button.tsx';
import { useDiskUsage } from './disk-usage-context.tsx';
import { Setting } from './setting-row.tsx';

/** Diagnostics report, shown before it is copied, so that the user sees its content. */
const ReportRow = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.advanced;
  const [text, setText] = useState<string | null>(null);
  const show = async () => {
    const result = await engine.run('profile.report', {});
    if (result) setText(result.text);
  };
  return (
    <Setting
      id="report"
      label={words.report}
      hint={words.reportHint}
      below={
        text !== null && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
          <section className={styles.frame} tabIndex={0} aria-label={words.reportText}>
            <pre className={styles.text}>{text}</pre>
          </section>
        )
      }
    >
      {text !== null && <CopyTextButton text={text} label={words.reportCopy} />}
      <Button aria-expanded={text !== null} onPress={() => (text === null ? void show() : setText(null))}>
        {text === null ? words.reportShow : words.reportHide}
      </Button>
    </Setting>
  );
};

export const AdvancedCard = () => {
  const { t } = useLocale();
  const words = t.settingsMore.advanced;
  return (
    <Card title={words.card}>
      <ProfileRow />
      <Setting id="network" label={words.network} hint={words.networkHint} />
      <ReportRow />
      <ResetRow />
    </Card>
  );
};

const ProfileRow = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.advanced;
  const canShow = useApp(({ capabilities }) => capabilities.fileManager);
  const { usage } = useDiskUsage();
  const folder = usage?.folder ?? '';
  return (
    <Setting id="profile" label={words.profile} hint={folder}>
      {canShow ? (
        <Button
          icon={FolderOpen}
          aria-label={words.openNamed(words.profile)}
          onPress={() => void engine.run('profile.openFolder', { folder: 'profile' })}
        >
          {words.open}
        </Button>
      ) : (
        <CopyTextButton text={folder} label={words.copyPath} />
      )}
    </Setting>
  );
};

/** Settings that hold a list, which the user has made. */
type ListSetting = {
  [Name in keyof Settings]: Settings[Name] extends readonly unknown[] ? Name : never;
}[keyof Settings];

/** User data, which a reset of the settings keeps: every list and the onboarding. */
const KEPT: Readonly<Record<ListSetting | 'firstSteps', true>> = {
  presets: true,
  backdropPresets: true,
  firstSteps: true,
};

/** The values of all settings that a reset changes. */
const resettable = (settings: Settings): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !Object.hasOwn(KEPT, name)));

const ResetRow = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.advanced;
  const settings = useApp((app) => app.settings);
  const [before, setBefore] = useState<Settings | null>(null);
  const [isResetting, setResetting] = useState(false);
  const reset = async () => {
    setResetting(true);
    if (await engine.updateSettings(resettable(DEFAULT_SETTINGS))) setBefore(settings);
    setResetting(false);
  };
  const undo = async () => {
    if (before && (await engine.updateSettings(resettable(before)))) setBefore(null);
  };
  return (
    <Setting id="reset" label={words.reset} hint={before ? words.resetDone : words.resetHint}>
      {before ? (
        <Button onPress={() => void undo()}>{t.settingsMore.undo}</Button>
      ) : (
        // The defaults are shown at once: after another press, they would be what was before.
        <Button tone="danger" isPending={isResetting} onPress={() => void reset()}>
          {words.resetDo}
        </Button>
      )}
    </Setting>
  );
};
