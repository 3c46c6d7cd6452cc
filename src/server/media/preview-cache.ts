/** Caches previews that inspections made of the pixels they decoded, until the published item needs them. */
import type { ObjectId } from '../storage/object-store.ts';

export interface PreviewCache {
  /** An inspection of the object starts; call the returned function with the preview, or with null without one. */
  expect(id: ObjectId): (bytes: Uint8Array | null) => void;
  /** The preview, returned once; null: decode the file. */
  take(id: ObjectId): Promise<Uint8Array | null>;
  forget(id: ObjectId): void;
}

/** Previews of items that are never published are evicted after so many others; each has some 50 KB. */
const CACHED_MAX = 64;

export const createPreviewCache = (): PreviewCache => {
  const cached = new Map<ObjectId, Promise<Uint8Array | null>>();

  return {
    expect: (id) => {
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      cached.delete(id);
      cached.set(id, promise);
      const [oldest] = cached.keys();
      if (cached.size > CACHED_MAX && oldest !== undefined) cached.delete(oldest);
      return resolve;
    },
    take: async (id) => {
      const promise = cached.get(id);
      cached.delete(id);
      return (await promise) ?? null;
    },
    forget: (id) => void cached.delete(id),
  };
};
