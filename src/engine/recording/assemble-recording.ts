/** Concatenates the segments of a recording and deletes them once the result is synced to disk. */
import { existsSync } from 'node:fs';
import { rm } from '../../base/node/retrying-fs.ts';
import { concatSegments, type Segment } from './concat-segments.ts';
import type { RecordingStore, StoredRecording } from './recording-store.ts';
import { openSegmentFile } from './segment-file.ts';

/**
 * Returns whether the complete file exists: false where no frame was recorded or can be read. Throws file system
 * errors.
 */
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
