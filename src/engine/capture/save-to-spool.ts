/**
 * Writes captured pixels as a PNG to the spool, the app's own folder for files, and names the screenshot by the
 * template of the settings.
 */
import { join } from 'node:path';
import Type from 'typebox';
import { ok, type Result } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import type { CaptureMode } from '../../ipc/protocol/capture.ts';
import { countsIn, nameBy } from '../../ipc/protocol/capture-name.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Clock, Pixels, Random } from '../ports.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue } from '../profile/persisted-value.ts';
import { writePicture } from './write-png.ts';

export interface SaveToSpoolDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly profile: Profile;
  readonly spoolDir: string;
  readonly settings: () => Settings;
}

export interface SavedCapture {
  readonly id: CaptureId;
  readonly path: string;
  /** With its file extension. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly takenAt: number;
}

export interface Subject {
  readonly pixels: Pixels;
  readonly mode: CaptureMode;
  /** Of the window; empty where there is no window. */
  readonly title: string;
}

/** `accept` is called when the file is synced and before it gets its final name. Errors: DISK_FULL, CANCELLED. */
export type SaveToSpool = (subject: Subject, accept: (saved: SavedCapture) => boolean) => Promise<Result<SavedCapture>>;

export const createSaveToSpool = ({ clock, random, profile, spoolDir, settings }: SaveToSpoolDeps): SaveToSpool => {
  const counted = createPersistedValue(profile, 'captureCount', Type.Integer({ minimum: 0 }));

  const count = (template: string): number => {
    if (!countsIn(template)) return 0;
    const n = (counted.read() ?? 0) + 1;
    counted.note(n);
    return n;
  };

  return async ({ pixels, mode, title }, accept) => {
    const id = random.uuid() as string as CaptureId;
    const { width, height } = pixels;
    const takenAt = clock.now();
    const { nameTemplate } = settings();
    const name = `${nameBy(nameTemplate, { at: takenAt, mode, width, height, title, n: count(nameTemplate) })}.png`;
    const saved = { id, path: join(spoolDir, `${id}.png`), name, width, height, takenAt };
    const written = await writePicture(pixels, saved.path, () => accept(saved));
    return written.ok ? ok(saved) : written;
  };
};
