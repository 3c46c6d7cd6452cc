/**
 * Divides the recognised words of a picture into its lines of text, and finds the place in the text that is nearest to
 * a point of the picture. Pure.
 */
import type { PictureContent } from '../../ipc/protocol/vision.ts';

type Word = PictureContent['words'][number];

export interface TextLine {
  /** At least one. */
  readonly words: readonly Word[];
  /** In pixels of the picture. */
  readonly y: number;
  readonly height: number;
}

const lineOf = (words: readonly Word[]): TextLine => {
  const y = Math.min(...words.map((word) => word.y));
  return { words, y, height: Math.max(1, Math.max(...words.map((word) => word.y + word.height)) - y) };
};

/** As in the text; its words follow each other in the same order. */
export const linesOf = ({ text, words }: Pick<PictureContent, 'text' | 'words'>): readonly TextLine[] => {
  const lines: TextLine[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    let length = -1;
    const from = at;
    for (let word = words[at]; word && length < line.length; word = words[at]) {
      length += 1 + word.text.length;
      at += 1;
    }
    if (at > from) lines.push(lineOf(words.slice(from, at)));
  }
  if (at < words.length) lines.push(lineOf(words.slice(at)));
  return lines;
};

/** A place between two letters. */
export interface TextPlace {
  readonly line: number;
  readonly word: number;
  /** Letters of the word before it. */
  readonly letter: number;
}

const outside = (at: number, from: number, length: number): number => Math.max(from - at, at - (from + length), 0);

/** Beside a line belongs to it, however short the line is. */
const DOWN_WEIGHT = 8;

/** Null: there is no text. */
export const nearestPlace = (lines: readonly TextLine[], x: number, y: number): TextPlace | null => {
  let nearest: TextPlace | null = null;
  let best = Number.POSITIVE_INFINITY;
  for (const [line, { words, y: top, height }] of lines.entries()) {
    const down = outside(y, top, height) * DOWN_WEIGHT;
    for (const [word, box] of words.entries()) {
      const distance = Math.hypot(outside(x, box.x, box.width), down);
      if (distance >= best) continue;
      best = distance;
      const part = Math.min(1, Math.max(0, (x - box.x) / Math.max(1, box.width)));
      nearest = { line, word, letter: Math.round(part * box.text.length) };
    }
  }
  return nearest;
};
