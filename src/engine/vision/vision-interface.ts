/**
 * Public interface of the vision feature: the commands that recognise text and codes in pictures and that find and
 * redact secrets, and a function that reads a file which a page of the app has handed over.
 */
import type { Result } from '../../api/errors.ts';
import type { PictureContent, ReadingId } from '../../ipc/protocol/vision.ts';
import type { CommandsOf } from '../command-types.ts';

export interface VisionApi extends CommandsOf<'vision'> {
  /** Reads a file of a page. Errors: those of `vision.readPath`. */
  readFile(path: string, reading: ReadingId, signal: AbortSignal): Promise<Result<PictureContent>>;
}
