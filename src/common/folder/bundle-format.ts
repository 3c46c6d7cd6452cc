/**
 * The file format of a bundle: one upload with the files that a page selected from a folder, and a summary of those
 * that it excluded. Names in a bundle never become paths on a disk, so path traversal is impossible.
 *
 * Layout: `LSF1`, the length of the JSON head (32 bits, big-endian), the head in UTF-8, the bytes of all files in the
 * head's order.
 */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../../api/limits.ts';
import { FolderSummary } from './folder-preview.ts';

export const BundleHead = Type.Object({
  files: Type.Array(Type.Object({ path: Type.String({ minLength: 1 }), size: Type.Integer({ minimum: 0 }) }), {
    maxItems: LIMITS.folderFiles,
  }),
  /** What the page excluded; the host never received it. */
  account: Type.Omit(FolderSummary, ['files', 'textBytes']),
});
export type BundleHead = Static<typeof BundleHead>;

const MAGIC = [0x4c, 0x53, 0x46, 0x31];
/** Bytes before the head. */
export const BUNDLE_LEAD = 8;
/** Fits the longest paths of the maximum number of files. */
const BUNDLE_HEAD_MAX = 4 * 1024 ** 2;
export const BUNDLE_MAX = BUNDLE_LEAD + BUNDLE_HEAD_MAX + LIMITS.folderTextBytes;

/** The bytes before those of the files. `json`: a `BundleHead`. */
export const bundleLead = (json: Uint8Array): Uint8Array<ArrayBuffer> => {
  const lead = new Uint8Array(BUNDLE_LEAD + json.length);
  lead.set(MAGIC);
  new DataView(lead.buffer).setUint32(MAGIC.length, json.length);
  lead.set(json, BUNDLE_LEAD);
  return lead;
};

/** The length of the head; null when this is not a bundle. */
export const headLength = (lead: Uint8Array): number | null => {
  if (lead.length < BUNDLE_LEAD || MAGIC.some((byte, at) => lead[at] !== byte)) return null;
  const length = new DataView(lead.buffer, lead.byteOffset).getUint32(MAGIC.length);
  return length <= BUNDLE_HEAD_MAX ? length : null;
};

/** Whether a path stays inside the folder. */
export const isInside = (path: string): boolean =>
  path.isWellFormed() && !/[\0\\]/.test(path) && !path.split('/').some((name) => /^\.{0,2}$/.test(name));
