/** Controls the video element: position, playback, and playback limited to the kept range. */

import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Range } from './trim.ts';

export interface Player {
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
export const usePlayer = (range: Range, ending: 'stops' | 'loops'): Player => {
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
