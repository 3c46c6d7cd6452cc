/**
 * The editor's document with its undo history: marks, crop and backdrop, as plain data over an unchanged image. Every
 * command returns a new document, or the same one if nothing changes.
 */
import { unreachable } from '../../api/errors.ts';
import type { Backdrop, Drawing } from '../../ipc/protocol/drawing.ts';
import { isSameBackdrop } from './backdrop-layout.ts';
import { boxOf, isSameBox, wholePixels, withinPicture } from './box-geometry.ts';
import type { Box, Mark, MarkId, NewMark, Point, Size } from './mark.ts';
import { moveBy } from './transform.ts';

export type Document = Drawing;

export type Command =
  | { readonly type: 'add'; readonly mark: NewMark }
  /** Replaces a mark with a changed version of itself. */
  | { readonly type: 'change'; readonly mark: Mark }
  | { readonly type: 'remove'; readonly id: MarkId }
  /** Adds a copy on top, offset by `by`. */
  | { readonly type: 'duplicate'; readonly id: MarkId; readonly by: Point }
  | { readonly type: 'crop'; readonly box: Box | null }
  /** Null: none. */
  | { readonly type: 'backdrop'; readonly backdrop: Backdrop | null };

export const emptyDocument = (picture: Size): Document => ({ picture, crop: null, marks: [], nextId: 1 });

/** The exported part of the image, without its backdrop. */
export const frameOf = ({ crop, picture }: Document): Box => crop ?? boxOf(picture);

export const findMark = ({ marks }: Document, id: MarkId | null): Mark | undefined =>
  marks.find((mark) => mark.id === id);

/** Steps are numbered from 1 in the order of their creation. */
export const stepNumber = ({ marks }: Document, id: MarkId): number =>
  marks.filter(({ kind }) => kind === 'step').findIndex((step) => step.id === id) + 1;

/** A redaction covers whole pixels: a partly hidden pixel would leak its colour. */
const snapRedaction = (mark: Mark): Mark =>
  mark.kind === 'redaction' ? { ...mark, box: wholePixels(mark.box) } : mark;

const add = (document: Document, mark: NewMark): Document => ({
  ...document,
  marks: [...document.marks, snapRedaction({ ...mark, id: document.nextId } as Mark)],
  nextId: document.nextId + 1,
});

const crop = (document: Document, wanted: Box | null): Document => {
  const box = wanted && withinPicture(wanted, document.picture);
  const next = box && isSameBox(box, boxOf(document.picture)) ? null : box;
  const { crop: before } = document;
  const isSame = next === null || before === null ? next === before : isSameBox(next, before);
  return isSame ? document : { ...document, crop: next };
};

const surround = (document: Document, wanted: Backdrop | null): Document => {
  const { backdrop: before, ...rest } = document;
  if (isSameBackdrop(wanted, before ?? null)) return document;
  return wanted === null ? rest : { ...rest, backdrop: wanted };
};

export const apply = (document: Document, command: Command): Document => {
  const { marks } = document;
  switch (command.type) {
    case 'add':
      return add(document, command.mark);
    case 'change': {
      const index = marks.findIndex(({ id }) => id === command.mark.id);
      if (index === -1 || marks[index] === command.mark) return document;
      return { ...document, marks: marks.with(index, snapRedaction(command.mark)) };
    }
    case 'remove': {
      const rest = marks.filter(({ id }) => id !== command.id);
      return rest.length === marks.length ? document : { ...document, marks: rest };
    }
    case 'duplicate': {
      const mark = findMark(document, command.id);
      return mark ? add(document, moveBy(mark, command.by)) : document;
    }
    case 'crop':
      return crop(document, command.box);
    case 'backdrop':
      return surround(document, command.backdrop);
    default:
      return unreachable(command);
  }
};

// Undo and redo over immutable documents.

/** More steps than anyone undoes; each shares all unchanged data with the one before. */
const STEPS = 300;

export interface History {
  readonly past: readonly Document[];
  readonly present: Document;
  readonly future: readonly Document[];
  /** Name of the last step's action; a following step of the same name is merged into it. */
  readonly ongoing: string | null;
}

export const beginHistory = (present: Document): History => ({ past: [], present, future: [], ongoing: null });

/** `ongoing` names steps that belong together, e.g. arrow key presses on one mark; null: a step of its own. */
export const perform = (history: History, next: Document, ongoing: string | null = null): History => {
  const { past, present } = history;
  if (next === present) return history;
  const continues = ongoing !== null && ongoing === history.ongoing;
  return { past: continues ? past : [...past, present].slice(-STEPS), present: next, future: [], ongoing };
};

/** The next change starts a new step, even under the same name. */
export const pause = (history: History): History =>
  history.ongoing === null ? history : { ...history, ongoing: null };

export const undo = (history: History): History => {
  const before = history.past.at(-1);
  if (!before) return history;
  const { past, present, future } = history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], ongoing: null };
};

export const redo = (history: History): History => {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.present], present: next, future, ongoing: null };
};
