/** Puts the pieces of a recording together. Promise: they go only when the whole is safe on the disk. */
import { existsSync } from 'node:fs';
import { rm } from '../../base/node/retrying-fs.ts';
import { joinStretches, type Stretch } from './concat-segments.ts';
import { openPiece } from './segment-file.ts';
import type { Shelf, ShelvedRecording } from './recording-store.ts';

/** Answers whether there is a whole now: no picture was recorded, or none can be read. Throws what the file system throws. */
export const assemble = async (recording: ShelvedRecording, shelf: Shelf, signal: AbortSignal): Promise<boolean> => {
  const paths = await shelf.pieces(recording);
  if (!existsSync(recording.whole)) {
    const stretches: Stretch[] = [];
    try {
      for (const [index, path] of paths.entries()) {
        const piece = await openPiece(path);
        const length = recording.about.lengths[index] ?? null;
        if (piece) stretches.push({ piece, from: 0, to: length === null ? null : length / 1_000, heard: null });
      }
      if (stretches.length === 0 || !(await joinStretches(stretches, recording.whole, signal))) return false;
    } finally {
      for (const { piece } of stretches) await piece.close();
    }
  }
  for (const path of paths) await rm(path, { force: true });
  return true;
};
