/**
 * Builds the URLs of thumbnails, media, captures, recordings and pinned images that a host serves to its page. For the
 * browser host, each URL contains the media key, which is derived from the page's key (`ipc/protocol/page-key.ts`).
 */
import type { HostAddresses } from './transport.ts';

const addresses = (query: () => string): HostAddresses => ({
  // A page shows again what it has loaded from an address.
  thumbnailUrl: (id, version) => `/thumbnails/${id}${query()}${query() === '' ? '?' : '&'}version=${version}`,
  mediaUrl: (id, kind) => `/media/${id}${kind === undefined ? '' : `/${kind}`}${query()}`,
  captureUrl: (id, what) => `/captures/${id}/${typeof what === 'string' ? what : what.display}${query()}`,
  recordingUrl: (id) => `/recordings/${id}${query()}`,
  pinUrl: (id) => `/pins/${id}${query()}`,
});

export const HOST_FILE_URLS: HostAddresses = addresses(() => '');

/** For a host that serves pictures only with the media key. */
export const hostFileUrlsWithKey = (mediaKey: () => string): HostAddresses =>
  addresses(() => `?key=${encodeURIComponent(mediaKey())}`);
