/** The card of the settings section Recording: how recordings are made. */

import type { AudioSource } from '../../../ipc/protocol/recording.ts';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { Toggle } from '../../components/fields/toggle.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { useHostAnswer } from '../../stores/use-host-answer.ts';
import { CameraFields } from './camera-fields.tsx';
import styles from './capture-fields.module.css';
import { secondsChoices } from './seconds-choices.ts';
import { SettingCard } from './setting-card.tsx';

const COUNTDOWNS = [0, 3, 5, 10];

const NO_SOUND: readonly AudioSource[] = ['none'];

/** Screen recording settings. */
export const RecordingCard = () => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.recording.settings;
  const { answer } = useHostAnswer('recording.sounds', {});
  const sounds = answer && (answer.ok ? answer.value.sounds : NO_SOUND);
  const settings = useApp((app) => app.settings);
  const canShowInput = useApp(({ capabilities }) => capabilities.inputDisplay);
  const { recordingSound, recordingPointer, recordingCountdownSeconds, reviewRecordings } = settings;
  // A configured source is listed even while unavailable: a microphone may be plugged in again.
  const choices = [...new Set([...(sounds ?? NO_SOUND), recordingSound])];
  return (
    <SettingCard id="recording" title={words.card}>
      <div className={styles.field}>
        <RadioChoice
          look="segments"
          label={words.sound}
          value={recordingSound}
          options={choices.map((sound) => ({ value: sound, title: words.sounds[sound] }))}
          onChange={(sound) => void engine.updateSettings({ recordingSound: sound })}
        />
        {sounds?.length === 1 && <p className={styles.hint}>{words.soundsNone}</p>}
      </div>
      <CameraFields />
      <RadioChoice
        look="segments"
        label={words.countdown}
        value={String(recordingCountdownSeconds)}
        options={secondsChoices(COUNTDOWNS, recordingCountdownSeconds).map((value) => ({
          value: String(value),
          title: value === 0 ? words.countdownNone : words.countdownSeconds(format.number(value)),
        }))}
        onChange={(value) => void engine.updateSettings({ recordingCountdownSeconds: Number(value) })}
      />
      <Toggle
        label={words.pointer}
        hint={words.pointerHint}
        isOn={recordingPointer === 'show'}
        onChange={(isOn) => void engine.updateSettings({ recordingPointer: isOn ? 'show' : 'hide' })}
      />
      {canShowInput && (
        <>
          <Toggle
            label={words.clicks}
            hint={words.clicksHint}
            isOn={settings.recordingClicks === 'show'}
            onChange={(isOn) => void engine.updateSettings({ recordingClicks: isOn ? 'show' : 'hide' })}
          />
          <Toggle
            label={words.keys}
            hint={words.keysHint}
            isOn={settings.recordingKeys === 'show'}
            onChange={(isOn) => void engine.updateSettings({ recordingKeys: isOn ? 'show' : 'hide' })}
          />
        </>
      )}
      <Toggle
        label={words.review}
        hint={words.reviewHint}
        isOn={reviewRecordings}
        onChange={(isOn) => void engine.updateSettings({ reviewRecordings: isOn })}
      />
    </SettingCard>
  );
};
