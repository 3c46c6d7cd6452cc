/**
 * Reads the size, length and other metadata of a finished recording from its file; null where the file has no frame.
 */
import { stat } from 'node:fs/promises';
import { openRecordingFile } from './recording-file-reader.ts';

export interface RecordingMetadata {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly hasSound: boolean;
  /** Positions where a trim needs no encoding, from 0 on, ascending. */
  readonly keyFramesMs: readonly number[];
}

/** Null where the file is missing or contains no intact frame. Throws file system errors. */
export const readRecordingMetadata = async (path: string): Promise<RecordingMetadata | null> => {
  const file = await openRecordingFile(path);
  if (!file) return null;
  try {
    const { track, packets } = file.video;
    const keyFramesMs: number[] = [];
    const metadataOnly = true;
    for (
      let key = await packets.getFirstKeyPacket({ metadataOnly });
      key !== null;
      key = await packets.getNextKeyPacket(key, { metadataOnly })
    )
      keyFramesMs.push(Math.round((key.timestamp - file.start) * 1_000));
    return {
      width: await track.getCodedWidth(),
      height: await track.getCodedHeight(),
      durationMs: Math.round(file.seconds * 1_000),
      bytes: (await stat(path)).size,
      hasSound: file.audio !== null,
      keyFramesMs,
    };
  } finally {
    await file.close();
  }
};
