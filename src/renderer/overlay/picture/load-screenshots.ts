/** Loads the screenshots of the displays from the host, that of the display shown first as soon as a capture begins. */

import type { CaptureId } from '../../../api/ids.ts';
import type { HostAddresses } from '../../../ipc/client/transport.ts';
import type { EngineStore } from '../../stores/engine-store.ts';
import { markCapture } from '../performance-marks.ts';
import type { ChoosingSession } from '../selection/selection-controller.ts';

export interface Screenshots {
  /** The pixels of one display; null if the host no longer has them. */
  load(session: ChoosingSession, display: number): Promise<ImageData | null>;
  /** Prefetches the first display's frame whenever a session begins. Returns the unsubscribe function. */
  open(): () => void;
}

interface ScreenshotsDeps {
  readonly addresses: HostAddresses;
  readonly engine: EngineStore;
  /** Number of the display that is shown first. */
  readonly first: (session: ChoosingSession) => number;
}

/** Null in WebKit, which fills no buffer of the page. */
const byteReaderOf = (body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null => {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
};

/** Reads exactly `length` bytes into a preallocated buffer, which takes half the time of `arrayBuffer()`. */
const readExactly = async (reply: Response, length: number): Promise<ArrayBuffer | null> => {
  const reader = reply.body && byteReaderOf(reply.body);
  if (!reader) {
    const whole = await reply.arrayBuffer();
    return whole.byteLength === length ? whole : null;
  }
  let buffer = new ArrayBuffer(length);
  for (let at = 0; at < length; ) {
    const { value } = await reader.read(new Uint8Array(buffer, at));
    if (!value || value.length === 0) return null;
    // Each read transfers the buffer and returns it.
    buffer = value.buffer as ArrayBuffer;
    at += value.length;
  }
  return buffer;
};

export const createScreenshots = ({ addresses, engine, first }: ScreenshotsDeps): Screenshots => {
  let current: { readonly id: CaptureId; readonly images: Map<number, Promise<ImageData | null>> } | null = null;

  const read = async (session: ChoosingSession, number: number): Promise<ImageData | null> => {
    const display = session.displays.find((known) => known.number === number);
    if (!display) return null;
    const detail = { id: session.id, display: number };
    markCapture('start', detail, session.pressedAt);
    markCapture('heard', detail);
    try {
      const reply = await fetch(addresses.captureUrl(session.id, { display: number }));
      const { width, height } = display;
      const bytes = reply.ok ? await readExactly(reply, width * height * 4) : null;
      if (bytes === null) return null;
      markCapture('received', detail);
      return new ImageData(new Uint8ClampedArray(bytes), width, height);
    } catch {
      // The host is unreachable, or its response is not a frame of this display.
      return null;
    }
  };

  const load = (session: ChoosingSession, number: number): Promise<ImageData | null> => {
    if (current?.id !== session.id) current = { id: session.id, images: new Map() };
    const { images } = current;
    const image = images.get(number) ?? read(session, number);
    images.set(number, image);
    return image;
  };

  const prefetch = (): void => {
    const session = engine.store.getState().app?.capture;
    if (session?.state === 'choosing') void load(session, first(session));
    else current = null;
  };
  return {
    load,
    open: () => {
      prefetch();
      return engine.store.subscribe(prefetch);
    },
  };
};
