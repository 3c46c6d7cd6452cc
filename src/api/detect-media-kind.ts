/**
 * Detects the format of a media file from its first bytes: PNG, JPEG, WebP, AVIF, MP4 or WebM, which are the formats
 * that the service accepts. The file name and a declared type are ignored. Also returns the kind of a stored file from
 * its MIME type.
 */
import { fileTypeFromBuffer } from 'file-type';

export type MediaContainer = 'png' | 'jpeg' | 'webp' | 'avif' | 'mp4' | 'webm';
export type MediaKind = {
  readonly type: 'IMAGE' | 'VIDEO';
  /** The type under which the file is stored and served. */
  readonly mime: string;
  readonly container: MediaContainer;
};

const image = (container: MediaContainer): MediaKind => ({ type: 'IMAGE', mime: `image/${container}`, container });
const video = (container: MediaContainer): MediaKind => ({ type: 'VIDEO', mime: `video/${container}`, container });

/**
 * Keyed by the results of `file-type`; an animated PNG is a PNG. ISO base media files are detected by their brands
 * below.
 */
const KINDS: Readonly<Record<string, MediaKind>> = {
  'image/png': image('png'),
  'image/apng': image('png'),
  'image/jpeg': image('jpeg'),
  'image/webp': image('webp'),
  'video/webm': video('webm'),
};

const AVIF_BRANDS = ['avif', 'avis'];
/** Brands that guarantee the MP4 structure: ISO's own, MP4's, Apple's and Adobe's video variants, DASH and CMAF. */
const MP4_BRAND = /^(iso[m2-9a-c]|mp4[12]|avc1|av01|M4V[HP]?|F4V|MSNV|dash|msdh|cmf[c2])$/;
const FTYP_BYTES_MAX = 4_096;

const ascii = (head: Uint8Array, start: number): string =>
  String.fromCharCode(...head.subarray(start, start + 4)).trimEnd();

/** Major and compatible brands of an `ftyp` box at the start of the file, or null without one. */
const isoBrands = (head: Uint8Array): { major: string; all: readonly string[] } | null => {
  if (head.length < 16 || ascii(head, 4) !== 'ftyp') return null;
  const size = new DataView(head.buffer, head.byteOffset).getUint32(0);
  if (size < 16 || size > FTYP_BYTES_MAX || size > head.length || size % 4 !== 0) return null;
  const all = [ascii(head, 8)];
  for (let at = 16; at < size; at += 4) all.push(ascii(head, at));
  return { major: ascii(head, 8), all };
};

const isoKind = ({ major, all }: { major: string; all: readonly string[] }): MediaKind | null => {
  if (AVIF_BRANDS.includes(major)) return image('avif');
  // HEIF's generic brands: an AVIF lists its own brand among the compatible ones, a HEIC does not.
  if (major === 'mif1' || major === 'msf1')
    return all.some((brand) => AVIF_BRANDS.includes(brand)) ? image('avif') : null;
  // A major brand of its own (`3gp4`, `XAVC`) is accepted with MP4 among the compatible ones; QuickTime and HEIC never.
  if (/^(qt|hei[a-z]|hev[a-z]|crx|jp2|jpx|M4[AB])$/.test(major)) return null;
  return all.some((brand) => MP4_BRAND.test(brand)) ? video('mp4') : null;
};

/**
 * Detects the type of a file from its first part (up to 2 MiB; the whole file when it is smaller). Null: another format
 * than the six supported ones, which is UPLOAD_FORMAT_UNSUPPORTED (API document, "start a resumable upload").
 */
export const detectMedia = async (head: Uint8Array): Promise<MediaKind | null> => {
  if (ascii(head, 4) === 'ftyp') {
    const brands = isoBrands(head);
    return brands === null ? null : isoKind(brands);
  }
  const found = await fileTypeFromBuffer(head);
  return found === undefined ? null : (KINDS[found.mime] ?? null);
};

/** The kind of a file that was stored under `mime`. */
export const kindOfMime = (mime: string): MediaKind => {
  const kind = [...Object.values(KINDS), image('avif'), video('mp4')].find((one) => one.mime === mime);
  if (kind === undefined) throw new Error(`No media of ours: ${mime}`);
  return kind;
};
