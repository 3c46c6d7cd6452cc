/**
 * URLs of the pictures and videos that a host serves to its page, with the half of the page's key that the browser host
 * requires in them.
 */
import type { HostAddresses } from './transport.ts';

const addresses = (query: string): HostAddresses => ({
  thumbnailUrl: (id) => `/thumbnails/${id}${query}`,
  mediaUrl: (id, kind) => `/media/${id}${kind === undefined ? '' : `/${kind}`}${query}`,
  captureUrl: (id, what) => `/captures/${id}/${what === 'picture' ? what : what.display}${query}`,
  recordingUrl: (id) => `/recordings/${id}${query}`,
});

export const HOST_FILE_URLS: HostAddresses = addresses('');

/** For a host that serves pictures only with the media key. */
export const hostFileUrlsWithKey = (mediaKey: string): HostAddresses =>
  addresses(`?key=${encodeURIComponent(mediaKey)}`);
