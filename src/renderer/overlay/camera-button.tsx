/** The button of the overlay that chooses the camera of a recording. */
import { Webcam, WebcamOff } from 'lucide-react';
import { Button } from '../components/buttons/button.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { CameraChoice } from '../stores/captures/use-camera-choice.ts';
import styles from './camera-button.module.css';
import { KeyHint } from './key-hint.tsx';

interface CameraButtonProps {
  readonly camera: CameraChoice;
  readonly isDisabled: boolean;
}

/** Each press chooses the next camera, and none after the last one. Nothing where this computer has no camera. */
export const CameraButton = ({ camera, isDisabled }: CameraButtonProps) => {
  const { t } = useLocale();
  if (camera.names.length === 0) return null;
  const isOn = camera.chosen !== null;
  return (
    <Button
      tone="quiet"
      icon={isOn ? Webcam : WebcamOff}
      isDisabled={isDisabled}
      aria-pressed={isOn}
      onPress={() => camera.next()}
    >
      <span className={styles.name}>{camera.chosen === null ? t.overlay.cameraOff : camera.chosen}</span>
      <KeyHint name="W" />
    </Button>
  );
};

/** Announces a camera that was chosen by the key, when its button does not have the focus. */
export const CameraAnnouncer = ({ camera }: { readonly camera: CameraChoice }) => {
  const { t } = useLocale();
  if (camera.connected === null || camera.names.length === 0) return null;
  return (
    <VisuallyHidden live>
      {camera.chosen === null ? t.overlay.cameraOff : t.overlay.cameraOn(camera.chosen)}
    </VisuallyHidden>
  );
};
