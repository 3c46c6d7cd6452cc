/** The fields of the card Recording for the camera that is shown in recordings, and for its place. */
import { CAMERA_CORNERS } from '../../../ipc/protocol/recording.ts';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useCameraChoice } from '../../stores/captures/use-camera-choice.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './capture-fields.module.css';

/** The other values are numbers of cameras. */
const OFF = 'off';

export const CameraFields = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.recording.settings;
  const { connected, names, chosen, choose } = useCameraChoice('wanted');
  const corner = useApp(({ settings }) => settings.recordingCameraCorner);
  const isGone = chosen !== null && connected !== null && !connected.includes(chosen);
  const hint = isGone ? words.cameraGone(chosen) : words.cameraHint;
  const nameOf = (index: string) => names[Number(index)] ?? null;
  return (
    <>
      <div className={styles.field}>
        <RadioChoice
          look="segments"
          label={words.camera}
          value={chosen === null ? OFF : String(names.indexOf(chosen))}
          options={[
            { value: OFF, title: words.cameraOff },
            ...names.map((name, index) => ({ value: String(index), title: name })),
          ]}
          onChange={(value) => choose(value === OFF ? null : nameOf(value))}
        />
        <p className={styles.hint}>{connected !== null && names.length === 0 ? words.camerasNone : hint}</p>
      </div>
      {chosen !== null && (
        <RadioChoice
          look="segments"
          label={words.corner}
          value={corner}
          options={CAMERA_CORNERS.map((value) => ({ value, title: words.corners[value] }))}
          onChange={(value) => void engine.updateSettings({ recordingCameraCorner: value })}
        />
      )}
    </>
  );
};
