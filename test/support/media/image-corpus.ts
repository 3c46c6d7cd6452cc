/**
 * Pictures in every format that can be made here, each with a secret wherever the format allows text: Exif (including a
 * location), XMP, comments, chunks of other programs, and after its end.
 */
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { seededBytes } from '../seeded-random.ts';
import { ffmpegFile } from './media.ts';

/** Must never be sent. */
export const SECRET = 'The-House-At-48.8584N-2.2945E';

const EXIF = {
  IFD0: { Artist: SECRET, Make: SECRET },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSMapDatum: SECRET },
};
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`;
const WORDS = Buffer.from(`${SECRET}!`.padEnd(32, '.'));

/** Four colours, one per corner, to show the orientation; with a gradient, so that all pixels differ. */
export const corners = (width = 96, height = 64, channels: 3 | 4 = 3): Sharp => {
  const pixels = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      pixels[at] = (x < width / 2 ? 200 : 20) + (x % 16);
      pixels[at + 1] = (y < height / 2 ? 20 : 200) + (y % 16);
      pixels[at + 2] = ((x + y) * 3) % 128;
      if (channels === 4) pixels[at + 3] = 64 + (x % 192);
    }
  }
  return sharp(pixels, { raw: { width, height, channels } });
};

/** Metadata added by sharp itself: Exif with a location and an orientation, XMP, and a colour profile. */
export const withMetadata = (image: Sharp, orientation = 1): Sharp =>
  image.withIccProfile('p3').withMetadata({ orientation }).withExifMerge(EXIF).withXmp(XMP);

const segment = (marker: number, payload: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};

/** A JPEG with a comment, Photoshop's own data, and a whole video after its end. */
const tellJpeg = (jpeg: Buffer): Buffer =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xfe, WORDS),
    segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), WORDS])),
    jpeg.subarray(2),
    Buffer.from('\0\0\0\x18ftypmp42', 'latin1'),
    WORDS,
  ]);

export const pngChunk = (type: string, payload: Buffer): Buffer => {
  const bytes = Buffer.alloc(12 + payload.length);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.write(type, 4, 'latin1');
  payload.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + payload.length)), 8 + payload.length);
  return bytes;
};

export const PNG_HEAD_BYTES = 33;

/** A PNG with text, a time, and a chunk of an unknown program. */
const tellPng = (png: Buffer): Buffer =>
  Buffer.concat([
    png.subarray(0, PNG_HEAD_BYTES),
    pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), WORDS])),
    pngChunk('prVt', WORDS),
    png.subarray(PNG_HEAD_BYTES),
    WORDS,
  ]);

/** A WebP with a chunk of an unknown program. */
const tellWebp = (webp: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write('PRVT', 'latin1');
  head.writeUInt32LE(WORDS.length, 4);
  const bytes = Buffer.concat([webp, head, WORDS]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return Buffer.concat([bytes, WORDS]);
};

/** An AVIF with boxes of an unknown program. */
const tellAvif = (avif: Buffer): Buffer => {
  const box = (type: string) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + WORDS.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, WORDS]);
  };
  return Buffer.concat([avif, box('uuid'), box('free')]);
};

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** A picture of ffmpeg's test pattern. */
export const made =
  (name: string, codec: string, more: readonly string[] = []) =>
  async (): Promise<Buffer> =>
    readFile(
      await ffmpegFile(name, [
        ...['-f', 'lavfi', '-i', 'testsrc2=size=120x80:rate=3:duration=1', '-frames:v', '1', '-update', '1'],
        ...['-metadata', `comment=${SECRET}`, '-c:v', codec, ...more],
      ]),
    );

/** A Photoshop file without layers, its pixels plane by plane, with text in its resources. */
const psdOf = async (image: Sharp): Promise<Buffer> => {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const head = Buffer.alloc(30);
  head.write('8BPS\0\x01', 'latin1');
  head.writeUInt16BE(3, 12);
  head.writeUInt32BE(info.height, 14);
  head.writeUInt32BE(info.width, 18);
  head.writeUInt16BE(8, 22);
  head.writeUInt16BE(3, 24);
  const resource = Buffer.concat([Buffer.from('8BIM\x04\x04\0\0\0\0\0 ', 'latin1'), WORDS]);
  const resourceBytes = Buffer.alloc(4);
  resourceBytes.writeUInt32BE(resource.length);
  const planes = [0, 1, 2].map((plane) => data.filter((_, at) => at % 3 === plane));
  return Buffer.concat([head, resourceBytes, resource, Buffer.alloc(6), ...planes]);
};

/** Three frames of 64 x 48, each of noise. */
export const moving = (): Sharp => {
  const pixels = seededBytes('moving', 64 * 48 * 3 * 3);
  return sharp(pixels, { raw: { width: 64, height: 48 * 3, channels: 3, pageHeight: 48 } });
};

/** Pictures of the formats that the service accepts. All fit, and all need a change before they are sent. */
export const ACCEPTED_CORPUS: Readonly<Record<string, () => Promise<Buffer>>> = {
  ...Object.fromEntries(
    orientations.flatMap((orientation) => [
      [`photo-${orientation}.jpg`, async () => tellJpeg(await withMetadata(corners(), orientation).jpeg().toBuffer())],
      [`shot-${orientation}.png`, async () => tellPng(await withMetadata(corners(), orientation).png().toBuffer())],
      [`drawn-${orientation}.webp`, async () => tellWebp(await withMetadata(corners(), orientation).webp().toBuffer())],
    ]),
  ),
  'progressive.jpg': async () => tellJpeg(await withMetadata(corners()).jpeg({ progressive: true }).toBuffer()),
  'untidy.jpg': async () => {
    const jpeg = await withMetadata(corners()).jpeg().toBuffer();
    // Fill bytes, and bytes outside of any segment, as some programs write them.
    return tellJpeg(
      Buffer.concat([
        jpeg.subarray(0, 2),
        Buffer.from([0xff, 0xff, 0xff]),
        jpeg.subarray(2, 20),
        WORDS,
        jpeg.subarray(20),
      ]),
    );
  },
  'grey.jpg': async () => tellJpeg(await withMetadata(corners().greyscale()).jpeg().toBuffer()),
  'lossless.webp': async () =>
    tellWebp(
      await withMetadata(corners(96, 64, 4))
        .webp({ lossless: true })
        .toBuffer(),
    ),
  'moving.webp': async () =>
    tellWebp(
      await moving()
        .webp({ lossless: true, delay: [50, 50, 50] })
        .toBuffer(),
    ),
  'picture.avif': async () => tellAvif(await withMetadata(corners()).avif().toBuffer()),
  'see-through.avif': async () =>
    tellAvif(
      await withMetadata(corners(96, 64, 4))
        .avif()
        .toBuffer(),
    ),
  'deep.png': async () => tellPng(await withMetadata(corners().toColourspace('rgb16')).png().toBuffer()),
  'moving.png': async () => tellPng(await made('moving.apng', 'apng', ['-f', 'apng', '-frames:v', '3'])()),
};

/** Pictures in formats that the service refuses. */
export const FOREIGN_CORPUS: Readonly<Record<string, () => Promise<Buffer>>> = {
  'scan.tiff': async () => await withMetadata(corners(), 6).tiff({ compression: 'lzw' }).toBuffer(),
  'deep.tiff': async () => await withMetadata(corners().toColourspace('rgb16')).tiff().toBuffer(),
  'print.tiff': async () => await corners().toColourspace('cmyk').tiff().toBuffer(),
  'still.gif': async () => await corners().gif().toBuffer(),
  'paint.bmp': made('paint.bmp', 'bmp'),
  'icon.ico': made('icon.ico', 'bmp'),
  'layers.psd': async () => psdOf(sharp(await made('reference.png', 'png')())),
  'picture.jp2': made('picture.jp2', 'jpeg2000', ['-f', 'image2']),
  'picture.qoi': made('picture.qoi', 'qoi', ['-f', 'image2']),
};
