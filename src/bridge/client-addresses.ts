/** Addresses of what a host serves beside the page; the same in every host. */
import type { HostAddresses } from './transport.ts';

export const HOST_ADDRESSES: HostAddresses = {
  thumbnailUrl: (id) => `/thumbnails/${id}`,
  captureUrl: (id, what) => `/captures/${id}/${what === 'picture' ? what : what.display}`,
  recordingUrl: (id) => `/recordings/${id}`,
};
