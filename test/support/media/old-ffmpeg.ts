/**
 * Files of the tests that an old ffmpeg cannot make: the only one for Windows in the package registry is of 2018. Wine
 * has that one.
 */
import { execFileSync } from 'node:child_process';
import { isWindows } from '../only-on.ts';

export const NEWER_FFMPEG = 'needs a newer ffmpeg than the one on this machine';

/** Encoders, or pixel formats of one, that ffmpeg got later. */
const NEWER = /^(av1.*|422\.mp4|gray\.mp4|picture\.qoi)$/;

let isOld: boolean | null = null;

/** On other systems every ffmpeg is new enough. */
export const hasOldFfmpeg = (): boolean => {
  isOld ??= isWindows && !execFileSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).includes(' qoi ');
  return isOld;
};

export const needsNewerFfmpeg = (name: string): boolean => NEWER.test(name) && hasOldFfmpeg();
