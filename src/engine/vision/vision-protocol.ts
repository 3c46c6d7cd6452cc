/** Messages between the engine and the process that recognises pictures. */
import type { Failure } from '../../api/errors.ts';
import type { PictureContent, TextLanguage } from '../../ipc/protocol/vision.ts';

export interface VisionTask {
  readonly id: number;
  /** A file, or the bytes of one. */
  readonly picture: string | Uint8Array;
  /** At least one, each with the path of its data. */
  readonly languages: readonly { readonly name: TextLanguage; readonly path: string }[];
}

/** What the process finds; the engine adds the languages that are missing. */
export type Recognised = Omit<PictureContent, 'missing'>;

export type VisionAnswer =
  | { readonly id: number; readonly ok: true; readonly value: Recognised }
  | { readonly id: number; readonly ok: false; readonly error: Failure };
