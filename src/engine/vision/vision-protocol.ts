/**
 * Messages between the engine and the vision process: tasks that recognise text and codes in a picture or save a copy
 * with parts covered, and the progress and results of these tasks.
 */
import type { Failure } from '../../api/errors.ts';
import type { FoundSecret, PictureContent, TextLanguage } from '../../ipc/protocol/vision.ts';
import type { Pixels } from '../ports.ts';

/** A file, the bytes of one, or the pixels of a capture. */
export type Picture = string | Uint8Array | Pixels;

/** Part of a picture, in its pixels as it is shown. */
export type Box = Pick<FoundSecret, 'x' | 'y' | 'width' | 'height'>;

export interface ReadTask {
  readonly id: number;
  readonly picture: Picture;
  /** At least one, each with the path of its data. */
  readonly languages: readonly { readonly name: TextLanguage; readonly path: string }[];
  /**
   * For what must not be missed: a picture with transparent parts also on black (`everywhere`), and all also in other
   * ways (`thoroughly`).
   */
  readonly way: 'once' | 'everywhere' | 'thoroughly';
}

/** Saves a copy of the picture as a PNG, with solid boxes; the target must not exist. */
export interface HideTask {
  readonly id: number;
  readonly path: string;
  readonly target: string;
  readonly boxes: readonly Box[];
}

export type VisionTask = ReadTask | HideTask;

/** What the process finds; the engine adds the languages that are missing. */
export interface Recognised extends Omit<PictureContent, 'missing'> {
  /** The words of further readings; empty unless asked for. */
  readonly more: readonly PictureContent['words'][];
  /** Of the picture as it is shown. */
  readonly width: number;
  readonly height: number;
}

/** `part`: how much is read, from 0 to 1; more messages follow. `value` null: of a `HideTask`. */
export type VisionAnswer =
  | { readonly id: number; readonly part: number }
  | { readonly id: number; readonly ok: true; readonly value: Recognised | null }
  | { readonly id: number; readonly ok: false; readonly error: Failure };
