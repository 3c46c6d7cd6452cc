/** `nativeImage` over real pixels: PNG and bitmaps in and out, cropped and resized. */
import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import { decodePng, encodePng, type Raster } from './png.ts';

const NONE: Raster = { width: 0, height: 0, data: Buffer.alloc(0) };

/** Electron's bitmaps are BGRA. */
const swapRedAndBlue = (pixels: Buffer): Buffer => {
  const swapped = Buffer.from(pixels);
  for (let at = 0; at < swapped.length; at += 4) {
    swapped[at] = pixels[at + 2] as number;
    swapped[at + 2] = pixels[at] as number;
  }
  return swapped;
};

export class NativeImage implements Electron.NativeImage {
  readonly raster: Raster;
  isMacTemplateImage = false;
  constructor(raster: Raster) {
    this.raster = raster;
  }
  static createEmpty(): NativeImage {
    return new NativeImage(NONE);
  }
  static createFromBitmap(buffer: Buffer, { width, height }: Electron.CreateFromBitmapOptions): NativeImage {
    if (buffer.length !== width * height * 4) throw new Error('invalid buffer size');
    return new NativeImage({ width, height, data: swapRedAndBlue(buffer) });
  }
  static createFromBuffer(buffer: Buffer): NativeImage {
    return new NativeImage(decodePng(Buffer.from(buffer)) ?? NONE);
  }
  static createFromPath(path: string): NativeImage {
    try {
      return NativeImage.createFromBuffer(readFileSync(path));
    } catch {
      return NativeImage.createEmpty();
    }
  }
  static createFromDataURL(url: string): NativeImage {
    return NativeImage.createFromBuffer(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }
  isEmpty(): boolean {
    return this.raster.data.length === 0;
  }
  getSize(): Electron.Size {
    return { width: this.raster.width, height: this.raster.height };
  }
  getAspectRatio(): number {
    return this.raster.width / this.raster.height;
  }
  toPNG(): Buffer {
    return this.isEmpty() ? Buffer.alloc(0) : encodePng(this.raster);
  }
  toBitmap(): Buffer {
    return swapRedAndBlue(this.raster.data);
  }
  toDataURL(): string {
    return `data:image/png;base64,${this.toPNG().toString('base64')}`;
  }
  getScaleFactors(): number[] {
    return [1];
  }
  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }
  setTemplateImage(isTemplate: boolean): void {
    this.isMacTemplateImage = isTemplate;
  }
  getBitmap(): void {}
  addRepresentation(): void {}
  toJPEG(): Buffer {
    throw new Error('The double of Electron makes no JPEG.');
  }
  getNativeHandle(): Buffer {
    throw new Error('The double of Electron has no native image.');
  }
  crop({ x, y, width, height }: Electron.Rectangle): NativeImage {
    return this.#sample(width, height, (column, row) => [x + column, y + row]);
  }
  resize({ width, height }: Electron.ResizeOptions): NativeImage {
    const size = this.getSize();
    const wide = width ?? Math.round(((height ?? size.height) * size.width) / size.height);
    const high = height ?? Math.round((wide * size.height) / size.width);
    return this.#sample(wide, high, (column, row) => [
      Math.floor(((column + 0.5) * size.width) / wide),
      Math.floor(((row + 0.5) * size.height) / high),
    ]);
  }
  #sample(width: number, height: number, from: (column: number, row: number) => [number, number]): NativeImage {
    const data = Buffer.alloc(width * height * 4);
    const source = this.raster;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const [x, y] = from(column, row);
        const at = (y * source.width + x) * 4;
        if (x >= 0 && y >= 0 && x < source.width && y < source.height)
          source.data.copy(data, (row * width + column) * 4, at, at + 4);
      }
    return new NativeImage({ width, height, data });
  }
}
