/**
 * Reads the text of a picture with Tesseract (WebAssembly). `readAgain` repeats the reading in other ways, which find
 * text that the first reading misses or confuses. A call blocks its process, so it runs only in
 * `vision-process-entry.ts`, never in the process of the engine.
 */

import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from '../../base/node/retrying-fs.ts';
import type { PictureContent } from '../../ipc/protocol/vision.ts';
import { enlarge, type GreyPicture } from './decode-picture.ts';
import { withLightBackground } from './lighten-background.ts';
import { inOneScript } from './mixed-alphabets.ts';
import type { ReadTask } from './vision-protocol.ts';

type Word = PictureContent['words'][number];

interface Read {
  readonly text: string;
  readonly words: readonly Word[];
}

interface Bounds {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

interface Line {
  readonly bbox: Bounds;
  readonly words?: readonly { readonly text: string; readonly confidence: number; readonly bbox: Bounds }[];
}

interface Blocks {
  readonly blocks: readonly { readonly paragraphs: readonly { readonly lines: readonly Line[] }[] }[] | null;
}

/** The used part of Tesseract's interface. */
interface Recognizer {
  /** 0: success. */
  Init(dataFolder: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): void;
  /** Reads `/input`; 1: failed. */
  SetImageFile(orientation: number, angle: number): number;
  AnalyseLayout(): unknown;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
  End(): void;
}

interface Tesseract {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => Recognizer;
}

type LoadTesseract = (options: {
  readonly wasmBinary: Uint8Array;
  /** From 0 to 100, while it recognises. */
  readonly TesseractProgress: (percent: number) => void;
  readonly print: () => void;
  readonly printErr: () => void;
}) => Promise<Tesseract>;

/** Neural networks only: the data has nothing else. */
const LSTM_ONLY = 1;
/**
 * How a picture is divided: into columns, tables and windows in reading order, or into as much text as can be found.
 */
const DIVISIONS = { layout: '3', sparse: '11' } as const;
type Division = keyof typeof DIVISIONS;
/** Text lines of this height are read best. */
const LINE_HEIGHT = 28;
const FACTOR_MAX = 3;
const SCREEN_DPI = 96;
/** Also for pictures of screens with many pixels, which are not enlarged. */
const HIGH_DPI_FACTOR = 2;
/** Of the enlarged picture. */
const MEGAPIXELS_MAX = 24;
/** Words below are noise, such as icons, borders and patterns, unless `LETTERS` matches. */
const CONFIDENCE_MIN = 20;
/** So many letters in a row are no noise: code and addresses are read well, and with little confidence. */
const LETTERS = /[\p{L}\p{N}]{4}/u;

const silent = (): void => {};

let loaded: Promise<Tesseract> | undefined;
let onProgress: (part: number) => void = silent;
let current: { readonly names: string; readonly recognizer: Recognizer } | undefined;

const load = (): Promise<Tesseract> => {
  const require = createRequire(import.meta.url);
  const program = 'tesseract.js-core/tesseract-core-simd-lstm';
  const start = require(`${program}.js`) as LoadTesseract;
  return start({
    wasmBinary: readFileSync(require.resolve(`${program}.wasm`)),
    TesseractProgress: (percent) => onProgress(percent / 100),
    print: silent,
    printErr: silent,
  });
};

const isZipped = (data: Buffer): boolean => data[0] === 0x1f && data[1] === 0x8b;

const recognizerFor = async (languages: ReadTask['languages']): Promise<readonly [Tesseract, Recognizer]> => {
  loaded ??= load();
  const tesseract = await loaded;
  const names = languages.map(({ name }) => name).join('+');
  if (current?.names === names) return [tesseract, current.recognizer];
  for (const { name, path } of languages) {
    const data = readFileSync(path);
    tesseract.FS.writeFile(`./${name}.traineddata`, isZipped(data) ? gunzipSync(data) : data);
  }
  current?.recognizer.End();
  current = undefined;
  const recognizer = new tesseract.TessBaseAPI();
  if (recognizer.Init(null, names, LSTM_ONLY) !== 0) throw new Error(`The data of ${names} is damaged.`);
  current = { names, recognizer };
  return [tesseract, recognizer];
};

/** As PGM, which needs no encoding. */
const show = (
  { FS }: Tesseract,
  recognizer: Recognizer,
  { width, height, pixels }: GreyPicture,
  dotsPerInch: number,
): void => {
  // Tesseract takes lines that are too high for this resolution for pictures.
  recognizer.SetVariable('user_defined_dpi', String(Math.round(dotsPerInch)));
  FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
  const status = recognizer.SetImageFile(1, 0);
  FS.unlink('/input');
  if (status !== 0) throw new Error('Tesseract did not accept the image.');
};

const linesOf = (recognizer: Recognizer): readonly Line[] => {
  const { blocks } = JSON.parse(recognizer.GetJSONText()) as Blocks;
  return (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines));
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? LINE_HEIGHT;

const factorFor = ({ width, height }: GreyPicture, lines: readonly Line[]): number => {
  const wanted = LINE_HEIGHT / median(lines.map(({ bbox }) => Math.max(1, bbox.y1 - bbox.y0)));
  const affordable = Math.sqrt((MEGAPIXELS_MAX * 1e6) / (width * height));
  return Math.max(1, Math.min(wanted, affordable, FACTOR_MAX));
};

const wordsOf = ({ words = [] }: Line, factor: number): readonly Word[] =>
  words
    .filter(({ text, confidence }) => text.trim() !== '' && (confidence >= CONFIDENCE_MIN || LETTERS.test(text)))
    .map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => {
      const x = Math.floor(x0 / factor);
      const y = Math.floor(y0 / factor);
      const width = Math.ceil(x1 / factor) - x;
      const height = Math.ceil(y1 / factor) - y;
      return { text, x, y, width, height, confidence: Math.round(confidence) };
    });

const readDivided = async (light: GreyPicture, languages: ReadTask['languages'], division: Division): Promise<Read> => {
  const [tesseract, recognizer] = await recognizerFor(languages);
  recognizer.SetVariable('tessedit_pageseg_mode', DIVISIONS[division]);
  show(tesseract, recognizer, light, SCREEN_DPI);
  recognizer.AnalyseLayout();
  const factor = factorFor(light, linesOf(recognizer));
  show(
    tesseract,
    recognizer,
    factor > 1 ? await enlarge(light, factor) : light,
    SCREEN_DPI * Math.max(factor, HIGH_DPI_FACTOR),
  );
  recognizer.Recognize(null);
  const read = linesOf(recognizer)
    .map((line) => wordsOf(line, factor))
    .filter((words) => words.length > 0);
  const lines = languages.length > 1 ? inOneScript(read) : read;
  recognizer.Clear();
  return { text: lines.map((words) => words.map(({ text }) => text).join(' ')).join('\n'), words: lines.flat() };
};

/** `onPart` is called with how much is read, from 0 to 1. */
export const readText = async (
  picture: GreyPicture,
  languages: ReadTask['languages'],
  onPart: (part: number) => void,
): Promise<Read> => {
  onProgress = onPart;
  return readDivided(withLightBackground(picture), languages, 'layout');
};

/** What one reading leaves out or confuses, such as short lines, another one finds. */
export const readAgain = async (
  picture: GreyPicture,
  languages: ReadTask['languages'],
): Promise<readonly Read['words'][]> => {
  onProgress = silent;
  const light = withLightBackground(picture);
  const sparse = await readDivided(light, languages, 'sparse');
  const [english, other] = languages;
  if (english?.name !== 'eng' || !other) return [sparse.words];
  return [sparse.words, (await readDivided(light, [english], 'layout')).words];
};
