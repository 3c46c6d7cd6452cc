/**
 * Finds what looks secret among the recognised words and codes of a picture, and the box of each. A box covers whole
 * words, so that no letter of a secret stays outside of it.
 */
import { holdsPrivateKey } from '../../../common/folder/detect-secrets.ts';
import type { FoundSecret, PictureContent, SecretKind } from '../../../ipc/protocol/vision.ts';
import { findLabelled, findLabelledIn } from './labelled-secrets.ts';
import { isVersionLabel, SECRET_FINDERS, type SecretPart } from './secret-patterns.ts';
import { foldedText, type Row, rowsOf, type SmallGap, type Word, wordsBetween } from './text-rows.ts';

type Code = PictureContent['codes'][number];

/** A longer line of text is no line. */
const LINE_MAX = 4_000;
/** Of the height of a word: boxes of words may cut the edges of letters off. */
const MARGIN = 0.15;
const MARGIN_MIN = 2;
/** Of the side of a code: its quiet zone may count. */
const CODE_MARGIN = 0.06;
/** Codes of goods, whose digits are no numbers of persons. */
const GOODS = /EAN|UPC|ITF|DataBar|Code(?:39|93|128)|Codabar/i;
/** Rows of a private key below its header. */
const KEY_ROWS_MAX = 80;

const overlaps = (a: SecretPart, b: SecretPart): boolean => a.start < b.end && b.start < a.end;

/** What is found first takes its letters. */
const withoutOverlaps = (parts: readonly SecretPart[]): readonly SecretPart[] => {
  const taken: SecretPart[] = [];
  for (const part of parts) if (!taken.some((one) => overlaps(one, part))) taken.push(part);
  return taken;
};

const byForm = (text: string): readonly SecretPart[] =>
  text.length > LINE_MAX ? [] : SECRET_FINDERS.flatMap((find) => find(text));

/** Of the area of the smaller of two boxes that show the same. */
const SAME_MIN = 0.4;

const isSame = (a: FoundSecret, b: FoundSecret): boolean => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 && width * height > SAME_MIN * Math.min(a.width * a.height, b.width * b.height);
};

const joined = (a: FoundSecret, b: FoundSecret): FoundSecret => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  const height = Math.max(a.y + a.height, b.y + b.height) - y;
  return { kind: a.kind, x, y, width, height, confidence: Math.max(a.confidence, b.confidence) };
};

/** Boxes of the same secret as one, of the kind that was found first. */
export const joinFound = (all: readonly FoundSecret[]): readonly FoundSecret[] => {
  const boxes: FoundSecret[] = [];
  for (const found of all) {
    const at = boxes.findIndex((box) => isSame(box, found));
    if (at < 0) boxes.push(found);
    else boxes[at] = joined(boxes[at] ?? found, found);
  }
  return boxes;
};

const boxOf = (kind: SecretKind, words: readonly Word[]): FoundSecret => {
  const height = Math.max(...words.map((word) => word.height));
  const margin = Math.max(MARGIN_MIN, Math.ceil(height * MARGIN));
  const x = Math.min(...words.map((word) => word.x)) - margin;
  const y = Math.min(...words.map((word) => word.y)) - margin;
  const right = Math.max(...words.map((word) => word.x + word.width)) + margin;
  const bottom = Math.max(...words.map((word) => word.y + word.height)) + margin;
  return {
    kind,
    x: Math.max(0, x),
    y: Math.max(0, y),
    width: right - Math.max(0, x),
    height: bottom - Math.max(0, y),
    confidence: Math.min(...words.map(({ confidence }) => confidence)),
  };
};

/** Dashes are read in many ways. */
const isKeyHeader = (text: string): boolean => {
  const dashed = text.replace(/[-_=~—]{2,} ?| ?[-_=~—]{2,}/g, '-----').replace(/\s+/g, ' ');
  return /BEGIN|PuTTY/i.test(dashed) && holdsPrivateKey(Buffer.from(dashed.replace(/^[^-P]*(?=-----|PuTTY)/i, '')));
};
const KEY_END = /END [A-Z ]*KEY|Private-MAC/i;
const BASE64_MIN = 36;
const KEY_BODY = /^[\w+/=|.,:;!() -]+$/;

/** A row of Base64: long, without words, and hardly broken. */
const isBase64 = ({ text }: Row): boolean => {
  const letters = text.replaceAll(' ', '');
  if (letters.length < BASE64_MIN || !/^[\w+/=|!)(.,-]+$/.test(letters) || text.split(' ').length > 5) return false;
  return /\d/.test(letters) && /[a-z][A-Z]|[A-Z][a-z]\d/.test(letters) && /[A-Z]/.test(letters);
};

/** Rows of private keys, from the header to the end; also without a header, which is often taken for a line. */
const keyRows = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row, at) => {
    const below = rows.slice(at + 1, at + KEY_ROWS_MAX);
    if (!isKeyHeader(row.text)) {
      const [next] = below;
      const isBlock = next && isBase64(row) && (isBase64(next) || /^[\w+/ ]{8,}={1,2}$/.test(next.text));
      return isBlock ? [row, next] : [];
    }
    const end = below.findIndex(({ text }) => KEY_END.test(text));
    if (end >= 0) return [row, ...below.slice(0, end + 1)];
    const other = below.findIndex(({ text }) => !KEY_BODY.test(text) || text.replaceAll(' ', '').length < 12);
    return [row, ...below.slice(0, other < 0 ? below.length : other)];
  });

/** A token that is broken at the end of its row goes on in the next one. */
const CONTINUED = /^(?=\S*\d)(?=\S*[a-z])[\w+/.-]{12,}=*(?=\s|$)/i;
const LONG = 24;

const continuations = (rows: readonly Row[], row: Row, part: SecretPart): readonly Row[] => {
  if (part.kind !== 'token' && part.kind !== 'key') return [];
  if (part.end - part.start < LONG || part.end < row.text.trimEnd().length) return [];
  const below = rows.slice(rows.indexOf(row) + 1);
  const left = row.parts[0]?.word.x ?? 0;
  const height = row.parts[0]?.word.height ?? 0;
  const end = below.findIndex(({ text, parts }) => {
    const first = parts[0]?.word;
    return !first || !CONTINUED.test(text) || first.x > left + height * 2;
  });
  return below.slice(0, end < 0 ? below.length : end);
};

/** The label of the field in which the part is, above it. */
const isVersionField = (rows: readonly Row[], row: Row, part: SecretPart): boolean => {
  const [word] = wordsBetween(row, part.start, part.end);
  const above = rows[rows.indexOf(row) - 1];
  if (!word || !above || part.kind !== 'ip') return false;
  const label = above.parts.find(({ word: { x } }) => Math.abs(x - word.x) < word.height * 3);
  return label !== undefined && isVersionLabel(above.text.slice(label.start, label.end));
};

const inWords = (words: readonly Word[], smallGap: SmallGap): readonly FoundSecret[] => {
  const rows = rowsOf(words, smallGap);
  const ofKeys = new Set(keyRows(rows));
  const found: FoundSecret[] = [...ofKeys].map((row) =>
    boxOf(
      'key',
      row.parts.map(({ word }) => word),
    ),
  );
  const labelled = Map.groupBy(findLabelled(rows), ({ row }) => row);
  /** Characters at the beginning of a row that continue what stands above. */
  const continued = new Map<Row, number>();
  for (const row of rows) {
    if (ofKeys.has(row)) continue;
    const parts = [...byForm(row.text), ...(labelled.get(row) ?? []).map(({ part }) => part)];
    for (const part of withoutOverlaps(parts)) {
      if (part.start < (continued.get(row) ?? 0) || isVersionField(rows, row, part)) continue;
      found.push(boxOf(part.kind, wordsBetween(row, part.start, part.end)));
      for (const next of continuations(rows, row, part)) {
        const end = /^\S+/.exec(next.text)?.[0].length ?? 0;
        found.push(boxOf(part.kind, wordsBetween(next, 0, end)));
        continued.set(next, end);
      }
    }
  }
  return found;
};

/** The password of a wireless network. */
const NETWORK = /^WIFI:.*?;?P:(?:[^;\\]|\\.)+/i;

const kindOfCode = ({ text, format }: Code): SecretKind | null => {
  if (GOODS.test(format)) return null;
  if (NETWORK.test(text)) return 'password';
  if (/^otpauth:/i.test(text)) return 'key';
  if (isKeyHeader(text)) return 'key';
  const parts = text
    .split(/[\r\n;&?]+/)
    .map(foldedText)
    .flatMap((line) => withoutOverlaps([...byForm(line), ...findLabelledIn(line)]));
  return parts[0]?.kind ?? null;
};

const inCodes = (codes: readonly Code[]): readonly FoundSecret[] =>
  codes.flatMap((code) => {
    const kind = kindOfCode(code);
    if (!kind) return [];
    const margin = Math.ceil(Math.max(code.width, code.height) * CODE_MARGIN) + MARGIN_MIN;
    const x = Math.max(0, code.x - margin);
    const y = Math.max(0, code.y - margin);
    const box = { x, y, width: code.x + code.width + margin - x, height: code.y + code.height + margin - y };
    return [{ kind, ...box, confidence: 100 }];
  });

/** In all readings of one picture, one reading after the other; those in codes last. */
export const findSecrets = (readings: readonly (readonly Word[])[], codes: readonly Code[]): readonly FoundSecret[] =>
  joinFound([...readings.flatMap((words) => [...inWords(words, ''), ...inWords(words, ' ')]), ...inCodes(codes)]);
