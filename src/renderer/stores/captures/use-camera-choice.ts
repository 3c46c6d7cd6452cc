/**
 * Hook for the choice of the camera that is shown in recordings. It offers the connected cameras and the configured
 * one, which may be unplugged.
 */
import { useApp, useAppStores } from '../use-app-stores.tsx';
import { useHostAnswer } from '../use-host-answer.ts';

export interface CameraChoice {
  /** Connected ones; null until they are known. */
  readonly connected: readonly string[] | null;
  /** Also the configured one, which may be plugged in again. */
  readonly names: readonly string[];
  /** Null: no camera is shown. */
  readonly chosen: string | null;
  choose(name: string | null): void;
  /** Chooses the next one; after the last one, none. */
  next(): void;
}

/** Cameras are listed where `use` is `wanted`; that starts none of them. */
export const useCameraChoice = (use: 'wanted' | 'unwanted'): CameraChoice => {
  const { engine } = useAppStores();
  const chosen = useApp(({ settings }) => settings.recordingCamera);
  const { answer } = useHostAnswer('recording.cameras', use === 'wanted' ? {} : null);
  const listed = answer?.ok ? answer.value.cameras : [];
  const connected = answer === null ? null : listed;
  const names = [...new Set([...listed, ...(chosen === null ? [] : [chosen])])];
  const choose = (name: string | null) => void engine.updateSettings({ recordingCamera: name });
  return {
    connected,
    names,
    chosen,
    choose,
    next() {
      if (names.length === 0) return;
      const all: readonly (string | null)[] = [null, ...names];
      choose(all[(all.indexOf(chosen) + 1) % all.length] ?? null);
    },
  };
};
