/** Probes a stored video: decrypts the object and reads it as the app does (`common/video/probe.ts`). */
import { type ProbeResult, readVideo, type VideoContainer } from '../../../common/video/probe.ts';
import { openSealedFile, type SealedFile } from '../../storage/sealed-file.ts';

/** Probes a file whose signature is `container`. Never throws for its content. */
export const probeVideo = async (sealed: SealedFile, container: VideoContainer): Promise<ProbeResult> => {
  const file = await openSealedFile(sealed);
  try {
    return await readVideo(file, container);
  } finally {
    await file.close();
  }
};
