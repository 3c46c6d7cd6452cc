/** Puts the pieces of a recording together. Promise: they go only when the whole is safe on the disk. */
import { existsSync } from 'node:fs';
import { rm } from '../../base/node/retrying-fs.ts';
import { concatSegments, type Segment } from './concat-segments.ts';
import type { RecordingStore, StoredRecording } from './recording-store.ts';
import { openSegmentFile } from './segment-file.ts';

/** Answers whether there is a whole now: no picture was recorded, or none can be read. Throws what the file system throws. */
export const assemble = async (
  recording: StoredRecording,
  recordingStore: RecordingStore,
  signal: AbortSignal,
): Promise<boolean> => {
  const paths = await recordingStore.pieces(recording);
  if (!existsSync(recording.whole)) {
    const segments: Segment[] = [];
    try {
      for (const [index, path] of paths.entries()) {
        const piece = await openSegmentFile(path);
        const length = recording.about.lengths[index] ?? null;
        if (piece) segments.push({ piece, from: 0, to: length === null ? null : length / 1_000, heard: null });
      }
      if (segments.length === 0 || !(await concatSegments(segments, recording.whole, signal))) return false;
    } finally {
      for (const { piece } of segments) await piece.close();
    }
  }
  for (const path of paths) await rm(path, { force: true });
  return true;
};
