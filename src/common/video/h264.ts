/**
 * Reads the picture parameters of an H.264 stream (ITU-T H.264, 7.3.2.1 and Annex E) from the `avcC` record of a
 * container.
 */

export interface H264Pictures {
  /** Pixels, after cropping. */
  readonly width: number;
  readonly height: number;
  /** 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  readonly chroma: number;
  readonly bitDepth: number;
  readonly fullRange: boolean;
  /** Red, green and blue instead of luma and chroma. */
  readonly rgb: boolean;
}

const SPS_NAL_TYPE = 7;
/** Profiles whose parameter set contains chroma and bit depth; the others are 8-bit 4:2:0. */
const HIGH_PROFILES = new Set([44, 83, 86, 100, 110, 118, 122, 128, 138, 139, 134, 135, 244]);
const EXTENDED_ASPECT_RATIO = 255;
const RGB_MATRIX = 0;

/** Bits of a NAL unit, most significant first, without emulation prevention bytes. */
const createBitReader = (unit: Uint8Array) => {
  const bytes = unit.filter(
    (byte, index) => !(byte === 3 && index >= 2 && unit[index - 1] === 0 && unit[index - 2] === 0),
  );
  let position = 0;
  const bit = (): number => {
    const byte = bytes[position >> 3];
    if (byte === undefined) throw new RangeError('The parameter set ends too early.');
    return (byte >> (7 - (position++ & 7))) & 1;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let read = 0; read < count; read++) value = value * 2 + bit();
    return value;
  };
  /** Exp-Golomb code, unsigned. */
  const ue = (): number => {
    let zeros = 0;
    while (bit() === 0) if (++zeros > 31) throw new RangeError('The parameter set is damaged.');
    return 2 ** zeros - 1 + bits(zeros);
  };
  const se = (): number => {
    const code = ue();
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2;
  };
  return { bit, bits, ue, se };
};
type BitReader = ReturnType<typeof createBitReader>;

const skipScalingLists = (read: BitReader, count: number): void => {
  for (let list = 0; list < count; list++) {
    if (read.bit() === 0) continue;
    let last = 8;
    let next = 8;
    for (let index = 0; index < (list < 6 ? 16 : 64); index++) {
      if (next !== 0) next = (last + read.se() + 256) % 256;
      if (next !== 0) last = next;
    }
  }
};

const skipPictureOrder = (read: BitReader): void => {
  const type = read.ue();
  if (type === 0) read.ue();
  if (type === 1) {
    read.bit();
    read.se();
    read.se();
    for (let left = read.ue(); left > 0; left--) read.se();
  }
};

/** Range and colour model of the video usability information; the defaults are limited range and YUV. */
const readColour = (read: BitReader): Pick<H264Pictures, 'fullRange' | 'rgb'> => {
  const usual = { fullRange: false, rgb: false };
  if (read.bit() === 0) return usual;
  if (read.bit() === 1 && read.bits(8) === EXTENDED_ASPECT_RATIO) read.bits(32);
  if (read.bit() === 1) read.bit();
  if (read.bit() === 0) return usual;
  read.bits(3);
  const fullRange = read.bit() === 1;
  if (read.bit() === 0) return { fullRange, rgb: false };
  read.bits(16);
  return { fullRange, rgb: read.bits(8) === RGB_MATRIX };
};

const parseSps = (unit: Uint8Array): H264Pictures => {
  const read = createBitReader(unit.subarray(1));
  const profile = read.bits(8);
  read.bits(16);
  read.ue();
  let chroma = 1;
  let separatePlanes = 0;
  let bitDepth = 8;
  if (HIGH_PROFILES.has(profile)) {
    chroma = read.ue();
    if (chroma === 3) separatePlanes = read.bit();
    bitDepth = 8 + Math.max(read.ue(), read.ue());
    read.bit();
    if (read.bit() === 1) skipScalingLists(read, chroma === 3 ? 12 : 8);
  }
  read.ue();
  skipPictureOrder(read);
  read.ue();
  read.bit();
  const columns = read.ue() + 1;
  const rows = read.ue() + 1;
  const fieldFactor = 2 - read.bit();
  if (fieldFactor === 2) read.bit();
  read.bit();
  let cropX = 0;
  let cropY = 0;
  if (read.bit() === 1) {
    const subsampledX = separatePlanes === 0 && (chroma === 1 || chroma === 2);
    const subsampledY = separatePlanes === 0 && chroma === 1;
    cropX = (read.ue() + read.ue()) * (subsampledX ? 2 : 1);
    cropY = (read.ue() + read.ue()) * (subsampledY ? 2 : 1) * fieldFactor;
  }
  const size = { width: columns * 16 - cropX, height: rows * 16 * fieldFactor - cropY };
  return { ...size, chroma, bitDepth, ...readColour(read) };
};

/**
 * The picture parameters of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1): those of its parameter set with
 * the largest pictures. Null when the record cannot be read.
 */
export const readAvcConfig = (record: Uint8Array): H264Pictures | null => {
  try {
    const found: H264Pictures[] = [];
    let at = 6;
    for (let left = (record[5] ?? 0) & 31; left > 0; left--) {
      const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
      const unit = record.subarray(at + 2, at + 2 + length);
      if (((unit[0] ?? 0) & 31) === SPS_NAL_TYPE) found.push(parseSps(unit));
      at += 2 + length;
    }
    return found.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
