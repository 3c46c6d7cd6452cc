/**
 * Buttons that start a screenshot or a recording, immediately or after a delay; during a recording, one stops it. Shown
 * only where the host lets the user select a region of the screen.
 */

import { AppWindow, type LucideIcon, Monitor, RotateCcw, Square, SquareDashedMousePointer, Video } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { HotkeyAction } from '../../../ipc/protocol/hotkeys.ts';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { useWorkingKeys } from '../../stores/use-working-keys.ts';
import styles from './capture-card.module.css';

const MODES = ['region', 'window', 'screen', 'last'] as const;
const ICONS: Record<(typeof MODES)[number], LucideIcon> = {
  region: SquareDashedMousePointer,
  window: AppWindow,
  screen: Monitor,
  last: RotateCcw,
};
const DELAYS = [0, 3, 5, 10] as const;

export const CaptureCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const usual = useApp(({ settings }) => settings.captureDelaySeconds);
  const isBusy = useApp(({ capture }) => capture !== null);
  const hasWindows = useApp(({ capabilities }) => capabilities.windows);
  const canRecord = useApp(({ capabilities }) => capabilities.recording);
  const [chosen, setChosen] = useState<number | null>(null);
  const delaySeconds = chosen ?? usual;
  const delays = [...new Set([...DELAYS, usual])].toSorted((a, b) => a - b);
  return (
    <section className={styles.card} aria-labelledby="capture-title">
      <div className={styles.head}>
        <h2 id="capture-title">{t.capture.title}</h2>
        <RadioChoice
          label={t.capture.delay}
          look="segments"
          value={String(delaySeconds)}
          options={delays.map((seconds) => ({
            value: String(seconds),
            title: seconds === 0 ? t.capture.now : t.capture.seconds(seconds),
          }))}
          onChange={(value) => setChosen(Number(value))}
        />
      </div>
      <div className={styles.tiles}>
        {MODES.filter((mode) => hasWindows || mode !== 'window').map((mode) => (
          <Tile
            key={mode}
            icon={ICONS[mode]}
            action={mode}
            label={t.capture.modes[mode]}
            isDisabled={isBusy}
            onPress={() => void engine.run('capture.start', { mode, delaySeconds })}
          />
        ))}
        {canRecord && <RecordTile delaySeconds={delaySeconds} isDisabled={isBusy} />}
      </div>
    </section>
  );
};

const RecordTile = ({ delaySeconds, isDisabled }: { readonly delaySeconds: number; readonly isDisabled: boolean }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const recording = useApp((app) => app.recording?.state ?? null);
  const isRunning = recording === 'recording' || recording === 'paused';
  return (
    <Tile
      icon={isRunning ? Square : Video}
      action="record"
      label={isRunning ? t.capture.stop : t.capture.record}
      isDisabled={isDisabled || (recording !== null && !isRunning)}
      onPress={() =>
        void (isRunning
          ? engine.run('recording.stop', {})
          : engine.run('capture.start', { mode: 'region', purpose: 'recording', delaySeconds }))
      }
    />
  );
};

interface TileProps {
  readonly icon: LucideIcon;
  readonly action: HotkeyAction;
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onPress: () => void;
}

const Tile = ({ icon: Icon, action, label, isDisabled, onPress }: TileProps) => {
  const keys = useWorkingKeys(action);
  return (
    <Button className={cx(styles.tile)} isDisabled={isDisabled} onPress={onPress}>
      <Icon size={20} strokeWidth={1.7} aria-hidden />
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {keys && <span className={styles.keys}>{keys.join('+')}</span>}
      </span>
    </Button>
  );
};
