/**
 * Finds the pictures and videos on this computer that a host serves to its page: thumbnails, screenshots and
 * recordings. A URL names an id that a schema has checked, never a path.
 */
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { CaptureId, ItemId, RecordingId } from '../api/ids.ts';
import type { Engine } from '../engine/engine.ts';

export interface LocalMedia {
  /** Value of the header content-type. */
  readonly type: string;
  /** Value of the header cache-control. */
  readonly cache: string;
  readonly content: { readonly path: string } | { readonly bytes: Uint8Array };
}

export interface LocalMediaEngine {
  readonly library: Pick<Engine['library'], 'thumbnail'>;
  readonly capture: Pick<Engine['capture'], 'frame' | 'picture' | 'clipboardPicture'>;
  readonly recording: Pick<Engine['recording'], 'file'>;
}

/** Screen contents are private: no cache stores them. */
const NO_STORE = 'no-store';
/** The user may have replaced it since, to hide what it shows. */
const NO_CACHE = 'private, no-cache';

const THUMBNAIL = /^\/thumbnails\/([^/]+)$/;
const CAPTURE = /^\/captures\/([^/]+)\/(?:(picture|copy)|(\d{1,2}))$/;
const RECORDING = /^\/recordings\/([^/]+)$/;

/** The file at a URL path such as `/captures/ID/1`; null if there is none at present. */
export const findLocalMedia = (engine: LocalMediaEngine, pathname: string): LocalMedia | null => {
  const [, item] = THUMBNAIL.exec(pathname) ?? [];
  const [, capture, picture, display] = CAPTURE.exec(pathname) ?? [];
  const [, recording] = RECORDING.exec(pathname) ?? [];
  if (isId(ItemId, item)) return fileAt(engine.library.thumbnail(item), 'image/webp', NO_CACHE);
  if (isId(RecordingId, recording)) return fileAt(engine.recording.file(recording), 'video/mp4', NO_STORE);
  if (!isId(CaptureId, capture)) return null;
  if (picture === 'picture') return fileAt(engine.capture.picture(capture), 'image/png', NO_STORE);
  if (picture === 'copy') return fileAt(engine.capture.clipboardPicture(capture), 'image/png', NO_STORE);
  const bytes = engine.capture.frame(capture, Number(display));
  return bytes && { type: 'application/octet-stream', cache: NO_STORE, content: { bytes } };
};

const isId = <S extends TSchema>(schema: S, text: string | undefined): text is Static<S> & string =>
  text !== undefined && Value.Check(schema, text);

const fileAt = (path: string | null, type: string, cache: string): LocalMedia | null =>
  path === null ? null : { type, cache, content: { path } };
