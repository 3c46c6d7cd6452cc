/**
 * Player of a recording in review with its trim bar and keys. Also shows which range is kept and how much of it must be
 * encoded again.
 */

import { Magnet, Pause, Play } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RecordingIn, TrimRange } from '../../../ipc/protocol/recording.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { cx } from '../../design/class-names.ts';
import { isLetter, isPlainKey, isTyping } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './review-screen.module.css';
import { TrimBar } from './trim-bar.tsx';
import { type Edge, encodedMs, keyFrameNear, type Range, withEdge } from './trim-range.ts';

/** Controls the video element: position, playback, and playback limited to the kept range. */
interface Player {
  readonly video: RefObject<HTMLVideoElement | null>;
  /** Milliseconds from the beginning. */
  readonly atMs: number;
  readonly isPlaying: boolean;
  readonly isBroken: boolean;
  seek(ms: number): void;
  toggle(): void;
}

const now = (video: HTMLVideoElement): number => video.currentTime * 1000;

/** `loops`: playback restarts at the start of the range. */
const usePlayer = (range: Range, ending: 'stops' | 'loops'): Player => {
  const video = useRef<HTMLVideoElement>(null);
  const [atMs, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const wanted = useRef({ range, ending });
  wanted.current = { range, ending };

  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    let frame = 0;
    const update = (): void => {
      const { range: kept, ending: then } = wanted.current;
      if (now(element) >= kept.endMs && !element.paused) {
        element.currentTime = (then === 'loops' ? kept.startMs : kept.endMs) / 1000;
        if (then === 'stops') element.pause();
      }
      setAt(now(element));
      frame = element.paused ? 0 : requestAnimationFrame(update);
    };
    const listeners = {
      play: () => {
        setPlaying(true);
        if (frame === 0) update();
      },
      pause: () => setPlaying(false),
      // At its end the video pauses by itself, mostly before a frame is drawn.
      ended: () => {
        const { range: kept, ending: then } = wanted.current;
        if (then === 'stops') return;
        element.currentTime = kept.startMs / 1000;
        element.play().catch(() => {});
      },
      seeked: () => setAt(now(element)),
      timeupdate: () => setAt(now(element)),
      error: () => setBroken(true),
    };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    if (element.error) setBroken(true);
    return () => {
      cancelAnimationFrame(frame);
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
    };
  }, []);

  const seek = (ms: number): void => {
    setAt(ms);
    if (video.current) video.current.currentTime = ms / 1000;
  };

  return {
    video,
    atMs,
    isPlaying,
    isBroken,
    seek,
    toggle: () => {
      const element = video.current;
      if (element === null || isBroken) return;
      if (!element.paused) return element.pause();
      if (now(element) >= range.endMs - 50 || now(element) < range.startMs) seek(range.startMs);
      // If the browser refuses to play, the button keeps saying Play.
      element.play().catch(() => {});
    },
  };
};

interface PreviewProps {
  readonly recording: RecordingIn<'review'>;
  readonly range: Range;
  readonly form: TrimRange['form'];
  /** It is being published, and another range would not count. */
  readonly isFixed: boolean;
  readonly onRange: (range: Range) => void;
}

export const RecordingPreview = ({ recording, range, form, isFixed, onRange }: PreviewProps) => {
  const { addresses } = useAppStores();
  const { t, format } = useLocale();
  const words = t.recording.review;
  const { durationMs, keyFramesMs } = recording;
  const player = usePlayer(range, form === 'loop' ? 'loops' : 'stops');

  /** Seeks to the edge, so that the user sees the frame while moving a handle. */
  const setEdge = (edge: Edge, ms: number): void => {
    if (isFixed) return;
    const moved = withEdge(range, edge, ms, durationMs);
    onRange(moved);
    player.seek(edge === 'start' ? moved.startMs : moved.endMs);
  };
  useKeys({
    onStart: () => setEdge('start', player.atMs),
    onEnd: () => setEdge('end', player.atMs),
    onPlay: player.toggle,
  });

  const isUntrimmed = range.startMs === 0 && range.endMs === durationMs;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: a fresh recording has no captions */}
      <video
        ref={player.video}
        className={styles.video}
        src={addresses.recordingUrl(recording.id)}
        width={recording.width}
        height={recording.height}
        playsInline
        preload="auto"
        aria-label={words.video(recording.name)}
        onClick={player.toggle}
      />
      {player.isBroken && <Alert tone="warn" title={words.unplayable} sentences={[words.unplayableAdvice]} />}
      <TrimBar
        durationMs={durationMs}
        range={range}
        atMs={player.atMs}
        keyFramesMs={keyFramesMs}
        isFixed={isFixed}
        onEdge={setEdge}
        onSeek={player.seek}
      />
      <div className={styles.controls}>
        <Button
          tone="primary"
          icon={player.isPlaying ? Pause : Play}
          isDisabled={player.isBroken}
          onPress={player.toggle}
        >
          {player.isPlaying ? words.pause : words.play}
        </Button>
        <span className={styles.time}>
          {format.fineClock(player.atMs)} / {format.fineClock(durationMs)}
        </span>
        <div className={styles.edges}>
          {!isUntrimmed && (
            <Button tone="quiet" isDisabled={isFixed} onPress={() => onRange({ startMs: 0, endMs: durationMs })}>
              {words.whole}
            </Button>
          )}
          <Button isDisabled={isFixed} onPress={() => setEdge('start', player.atMs)}>
            {words.setStart}
          </Button>
          <Button isDisabled={isFixed} onPress={() => setEdge('end', player.atMs)}>
            {words.setEnd}
          </Button>
        </div>
      </div>
      <Cost {...{ recording, range, form, isFixed }} onStart={(ms) => setEdge('start', ms)} />
      <p className={styles.hint}>{words.keys}</p>
    </>
  );
};

interface KeysProps {
  readonly onStart: () => void;
  readonly onEnd: () => void;
  readonly onPlay: () => void;
}

/** Space on a button presses that button. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, label, summary') !== null;

const useKeys = ({ onStart, onEnd, onPlay }: KeysProps): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isOther = event.defaultPrevented || !isPlainKey(event) || isTyping(event.target);
    if (isOther) return;
    if (isLetter(event, 'i')) onStart();
    else if (isLetter(event, 'o')) onEnd();
    else if (event.key === ' ' && !isPressable(event.target)) onPlay();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
};

interface CostProps extends Omit<PreviewProps, 'onRange'> {
  readonly onStart: (ms: number) => void;
}

const Cost = ({ recording, range, form, isFixed, onStart }: CostProps) => {
  const { t, format } = useLocale();
  const words = t.recording.review;
  const { durationMs, bytes, keyFramesMs } = recording;
  const length = range.endMs - range.startMs;
  const reencodedMs = encodedMs(range, keyFramesMs);
  const better = reencodedMs > 0 ? keyFrameNear(range, keyFramesMs) : null;
  return (
    <div className={styles.facts}>
      <span>{words.length(format.fineClock(length))}</span>
      {form === 'video' && (
        <>
          <span>{words.about(format.bytes(durationMs === 0 ? bytes : (bytes * length) / durationMs))}</span>
          <span className={cx(reencodedMs > 0 ? styles.warn : styles.good)}>
            {reencodedMs > 0 ? words.encodes(format.seconds(reencodedMs / 1000)) : words.noEncoding}
          </span>
          {better !== null && (
            <Button icon={Magnet} isDisabled={isFixed} onPress={() => onStart(better)}>
              {words.toKeyFrame(format.fineClock(better))}
            </Button>
          )}
        </>
      )}
    </div>
  );
};
