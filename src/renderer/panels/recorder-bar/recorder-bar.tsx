/**
 * The recorder bar: a countdown that can be cancelled, then the recording with its time, size and controls, or the
 * panel of a scrolling capture. Also derives from the app's state which of them is shown.
 */
import { MicOff, Pause, Play, Square, Trash2, Volume2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { unreachable } from '../../../api/errors.ts';
import type { RecordingId } from '../../../api/ids.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { CapturePurpose, CaptureSessionIn } from '../../../ipc/protocol/capture.ts';
import type { RecordingIn } from '../../../ipc/protocol/recording.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores, useNow } from '../../stores/use-app-stores.tsx';
import styles from './recorder-bar.module.css';
import { ScrollPanel } from './scroll-panel.tsx';
import { useWindowKey } from './use-window-key.ts';

/** Often enough not to skip a second of countdown or clock. */
const LOOK_MS = 200;
const SECOND_MS = 1_000;
/** Share of a limit from which it is highlighted. */
const NEAR = 0.9;

export const useRunningTask = (): RunningTask | null => {
  const capture = useApp((app) => app.capture);
  const recording = useApp((app) => app.recording);
  return runningTask({ capture, recording });
};

/** Renders nothing while no task is running. */
export const RecorderBar = () => {
  const { t } = useLocale();
  const now = useRunningTask();
  return (
    <section
      className={styles.place}
      aria-label={now?.kind === 'scrolling' ? t.panels.scroll.label : t.panels.bar.label}
    >
      {now !== null && <Bar now={now} />}
    </section>
  );
};

const Bar = ({ now }: { readonly now: RunningTask }) => {
  const { t } = useLocale();
  switch (now.kind) {
    case 'counting':
      return <Countdown counting={now} />;
    case 'running':
      return <Controls key={now.recording.id} recording={now.recording} />;
    case 'scrolling':
      return <ScrollPanel key={now.capture.id} capture={now.capture} />;
    case 'finishing':
      return (
        <div className={styles.bar} role="status">
          {t.panels.bar.finishing}
        </div>
      );
    default:
      return unreachable(now);
  }
};

const Countdown = ({ counting }: { readonly counting: Extract<RunningTask, { kind: 'counting' }> }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.panels.bar;
  const now = useNow(LOOK_MS);
  const seconds = Math.max(0, Math.ceil((counting.startsAt - now) / SECOND_MS));
  const sentence = counting.what === 'recording' ? words.recordingIn(seconds) : words.captureIn(seconds);
  // Announced once, not every second of a long delay.
  const [begun, setBegun] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each countdown
  useEffect(() => setBegun(sentence), [counting.startsAt]);
  const { recordingId: id } = counting;
  const cancel = () => void (id === null ? engine.run('capture.cancel', {}) : engine.run('recording.discard', { id }));
  useWindowKey('Escape', cancel);
  return (
    <div className={styles.bar}>
      <span className={styles.count} aria-hidden>
        {seconds}
      </span>
      <p className={styles.grow} role="timer">
        {sentence}
      </p>
      <VisuallyHidden live>{begun}</VisuallyHidden>
      <Button icon={X} onPress={cancel}>
        {words.cancel}
      </Button>
    </div>
  );
};

const Controls = ({ recording }: { readonly recording: Running }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.panels.bar;
  /** `answered`: focus returns to the button that asked. */
  const [question, setQuestion] = useState<'none' | 'asked' | 'answered'>('none');
  const isPaused = recording.state === 'paused';
  return (
    <div className={styles.bar}>
      <span className={cx(styles.dot, isPaused && styles.still)} aria-hidden />
      <VisuallyHidden live>{isPaused ? words.paused : words.recording}</VisuallyHidden>
      {question === 'asked' ? (
        <>
          <p className={styles.grow}>{words.discardAsk}</p>
          {/* First, so that a double click keeps the recording. */}
          <Button autoFocus onPress={() => setQuestion('answered')}>
            {words.discardNo}
          </Button>
          <Button tone="danger" onPress={() => void engine.run('recording.discard', { id: recording.id })}>
            {words.discardYes}
          </Button>
        </>
      ) : (
        <>
          <Amounts recording={recording} />
          <IconButton
            icon={isPaused ? Play : Pause}
            label={isPaused ? words.resume : words.pause}
            onPress={() => void engine.run(isPaused ? 'recording.resume' : 'recording.pause', {})}
          />
          <IconButton
            icon={Trash2}
            label={words.discard}
            autoFocus={question === 'answered'}
            onPress={() => setQuestion('asked')}
          />
          <Button
            tone="primary"
            icon={Square}
            aria-label={words.stop}
            onPress={() => void engine.run('recording.stop', {})}
          >
            <span className={styles.word}>{words.stop}</span>
          </Button>
        </>
      )}
    </div>
  );
};

const Amounts = ({ recording }: { readonly recording: Running }) => {
  const { t, format } = useLocale();
  const words = t.panels.bar;
  const { bounds, bytes } = recording;
  const elapsed = recordedMs(recording, useNow(recording.state === 'recording' ? LOOK_MS : null));
  const fullness = Math.max(
    bounds.milliseconds ? elapsed / bounds.milliseconds : 0,
    bounds.bytes ? bytes / bounds.bytes : 0,
  );
  return (
    <div className={cx(styles.grow, fullness > NEAR && styles.near)}>
      <p className={styles.line}>
        <span className={styles.time} role="timer" aria-label={words.elapsed}>
          {format.clock(elapsed)}
        </span>
        {bounds.milliseconds !== null && <span>{words.timeOf(format.clock(bounds.milliseconds))}</span>}
      </p>
      <p className={styles.line}>
        <SoundMark sound={recording.sound} />
        {bounds.bytes === null ? format.bytes(bytes) : words.sizeOf(format.bytes(bytes), format.bytes(bounds.bytes))}
      </p>
    </div>
  );
};

const SoundMark = ({ sound }: { readonly sound: Running['sound'] }) => {
  const { t } = useLocale();
  const Icon = sound === 'none' ? MicOff : Volume2;
  const words = t.panels.bar.sound[sound];
  return (
    <span className={cx(styles.sound, sound !== 'none' && styles.heard)} role="img" aria-label={words} title={words}>
      <Icon size={14} aria-hidden />
    </span>
  );
};

type Running = RecordingIn<'recording' | 'paused'>;

type RunningTask =
  /** Until `startsAt` it can be cancelled without a trace: by `capture.cancel` or by `recording.discard`. */
  | {
      readonly kind: 'counting';
      readonly what: CapturePurpose;
      /** Null: a capture, even where a recording follows. */
      readonly recordingId: RecordingId | null;
      readonly startsAt: number;
    }
  | { readonly kind: 'scrolling'; readonly capture: CaptureSessionIn<'scrolling'> }
  | { readonly kind: 'running'; readonly recording: Running }
  | { readonly kind: 'finishing' };

/** The countdown, recording or scrolling capture that the bar shows. Pure. */
export const runningTask = ({ capture, recording }: Pick<AppState, 'capture' | 'recording'>): RunningTask | null => {
  if (capture?.state === 'waiting')
    return { kind: 'counting', what: capture.purpose, recordingId: null, startsAt: capture.startsAt };
  if (capture?.state === 'scrolling') return { kind: 'scrolling', capture };
  if (recording === null) return null;
  switch (recording.state) {
    case 'countdown':
      return { kind: 'counting', what: 'recording', recordingId: recording.id, startsAt: recording.startsAt };
    case 'recording':
    case 'paused':
      return { kind: 'running', recording };
    case 'finishing':
      return { kind: 'finishing' };
    case 'review':
      return null;
    default:
      return unreachable(recording);
  }
};

/** Recorded so far, in milliseconds. */
const recordedMs = (recording: Running, now: number): number =>
  recording.recordedMs + (recording.state === 'recording' ? Math.max(0, now - recording.since) : 0);
