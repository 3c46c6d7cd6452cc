/** Addresses of what a host serves beside the page; the same in every host. */
import type { HostAddresses } from './transport.ts';

export const HOST_ADDRESSES: HostAddresses = {
  thumbnailUrl: (id) => `/thumbnails/${id}`,
  mediaUrl: (id, kind) => `/media/${id}${kind === undefined ? '' : `/${kind}`}`,
  captureUrl: (id, what) => `/captures/${id}/${what === 'picture' ? what : what.display}`,
  recordingUrl: (id) => `/recordings/${id}`,
};
