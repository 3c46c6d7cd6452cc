/**
 * A folder that a page has read, as one file: a head that says what is in it, and the bytes of all files one after the
 * other. Promise: no name in it ever becomes a path on a disk, so none can lead anywhere.
 *
 * Layout: `LSF1`, the length of the head (32 bits, big-endian), the head as JSON in UTF-8, the bytes in the head's order.
 */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../../api/limits.ts';
import { FolderAccount } from './preview.ts';

export const BundleHead = Type.Object({
  files: Type.Array(Type.Object({ path: Type.String({ minLength: 1 }), size: Type.Integer({ minimum: 0 }) }), {
    maxItems: LIMITS.folderFiles,
  }),
  /** What stayed in the page, which the host never saw. */
  account: Type.Omit(FolderAccount, ['files', 'textBytes']),
});
export type BundleHead = Static<typeof BundleHead>;

const MAGIC = [0x4c, 0x53, 0x46, 0x31];
/** Bytes before the head. */
export const BUNDLE_LEAD = 8;
/** Room for the longest paths of as many files as may go. */
const BUNDLE_HEAD_MAX = 4 * 1024 ** 2;
export const BUNDLE_MAX = BUNDLE_LEAD + BUNDLE_HEAD_MAX + LIMITS.folderTextBytes;

/** What stands before the bytes of the files. `json`: a `BundleHead`. */
export const bundleLead = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const lead = new Uint8Array(BUNDLE_LEAD + json.length);
  lead.set(MAGIC);
  new DataView(lead.buffer).setUint32(MAGIC.length, json.length);
  lead.set(json, BUNDLE_LEAD);
  return lead;
};

/** How long the head is; null when this is no bundle. */
export const headLength = (lead: Uint8Array): number | null => {
  if (lead.length < BUNDLE_LEAD || MAGIC.some((byte, at) => lead[at] !== byte)) return null;
  const length = new DataView(lead.buffer, lead.byteOffset).getUint32(MAGIC.length);
  return length <= BUNDLE_HEAD_MAX ? length : null;
};

/** Whether a path says only where in the folder a file is. */
export const isInside = (path: string): boolean =>
  path.isWellFormed() && !/[\0\\]/.test(path) && !path.split('/').some((name) => /^\.{0,2}$/.test(name));
