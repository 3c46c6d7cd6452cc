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
  const paths = await recordingStore.segmentPaths(recording);
  if (!existsSync(recording.file)) {
    const segments: Segment[] = [];
    try {
      for (const [index, path] of paths.entries()) {
        const file = await openSegmentFile(path);
        const length = recording.info.lengths[index] ?? null;
        if (file) segments.push({ file, from: 0, to: length === null ? null : length / 1_000, audio: null });
      }
      if (segments.length === 0 || !(await concatSegments(segments, recording.file, signal))) return false;
    } finally {
      for (const { file } of segments) await file.close();
    }
  }
  for (const path of paths) await rm(path, { force: true });
  return true;
};
