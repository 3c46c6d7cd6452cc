/** Messages between the engine and the process that recognises text and codes in pictures. */
import type { Failure } from '../../api/errors.ts';
import type { PictureContent, TextLanguage } from '../../ipc/protocol/vision.ts';
import type { Pixels } from '../ports.ts';

/** A file, the bytes of one, or the pixels of a capture. */
export type Picture = string | Uint8Array | Pixels;

export interface VisionTask {
  readonly id: number;
  readonly picture: Picture;
  /** At least one, each with the path of its data. */
  readonly languages: readonly { readonly name: TextLanguage; readonly path: string }[];
}

/** What the process finds; the engine adds the languages that are missing. */
export type Recognised = Omit<PictureContent, 'missing'>;

/** `part`: how much is read, from 0 to 1; more messages follow. */
export type VisionAnswer =
  | { readonly id: number; readonly part: number }
  | { readonly id: number; readonly ok: true; readonly value: Recognised }
  | { readonly id: number; readonly ok: false; readonly error: Failure };
