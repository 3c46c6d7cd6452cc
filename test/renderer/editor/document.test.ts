/** The editor's document: commands on marks and crop, and exact undo. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEdited } from '../../../src/ipc/protocol/drawing.ts';
import { overlap } from '../../../src/renderer/drawing/box-geometry.ts';
import {
  apply,
  beginHistory,
  type Command,
  emptyDocument,
  type History,
  pause,
  perform,
  redo,
  stepNumber,
  undo,
} from '../../../src/renderer/drawing/document.ts';
import type { Box, Mark, NewMark, Point } from '../../../src/renderer/drawing/mark.ts';
import { boundsOf, handlesOf, moveBy, pull, resizeBy } from '../../../src/renderer/drawing/transform.ts';

const PICTURE = { width: 640, height: 401 };
const PICTURE_BOX = { x: 0, y: 0, ...PICTURE };

const length = fc.double({ min: -700, max: 700, noNaN: true });
const point = fc.record({ x: length, y: length });
const box = fc.record({
  x: length,
  y: length,
  width: fc.double({ min: 0.1, max: 700, noNaN: true }),
  height: fc.double({ min: 0.1, max: 700, noNaN: true }),
});
const colour = fc.constantFrom('#e5322d', '#ffffff');
const width = fc.constantFrom(2, 5, 9);
const newMark: fc.Arbitrary<NewMark> = fc.oneof(
  fc.record({ kind: fc.constantFrom('arrow', 'line'), from: point, to: point, width, colour }),
  fc.record({ kind: fc.constantFrom('rectangle', 'ellipse'), box, width, colour }),
  fc.record({ kind: fc.constant('highlight'), box, colour }),
  fc.record({ kind: fc.constant('pen'), points: fc.array(point, { minLength: 1, maxLength: 9 }), width, colour }),
  fc.record({ kind: fc.constant('step'), at: point, radius: fc.integer({ min: 8, max: 40 }), colour }),
  fc.record({
    kind: fc.constant('text'),
    at: point,
    text: fc.constant('Hello'),
    size: fc.integer({ min: 8, max: 60 }),
    extent: fc.constant({ width: 50, height: 20 }),
    colour,
  }),
  fc.record({
    kind: fc.constant('redaction'),
    box,
    look: fc.constantFrom('solid', 'mosaic'),
    seed: fc.nat(),
    colour,
  }),
) as fc.Arbitrary<NewMark>;

/** Whether one box is inside the other, within floating-point tolerance. */
const holds = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x + 1e-9 &&
  outer.y <= inner.y + 1e-9 &&
  outer.x + outer.width >= inner.x + inner.width - 1e-9 &&
  outer.y + outer.height >= inner.y + inner.height - 1e-9;

const id = fc.integer({ min: 1, max: 6 });
type Deed =
  | { readonly does: 'command'; readonly command: Command }
  | { readonly does: 'nudge'; readonly id: number; readonly by: Point }
  | { readonly does: 'undo' | 'redo' };
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    does: fc.constant('command' as const),
    command: fc.oneof(
      fc.record({ type: fc.constant('add' as const), mark: newMark }),
      fc.record({ type: fc.constant('remove' as const), id }),
      fc.record({ type: fc.constant('duplicate' as const), id, by: point }),
      fc.record({ type: fc.constant('crop' as const), box: fc.option(box) }),
    ),
  }),
  fc.record({ does: fc.constant('nudge' as const), id, by: point }),
  fc.record({ does: fc.constantFrom('undo' as const, 'redo' as const) }),
);

const follow = (history: History, step: Deed): History => {
  const { present } = history;
  switch (step.does) {
    case 'command':
      return perform(history, apply(present, step.command));
    case 'nudge': {
      const mark = present.marks.find((known) => known.id === step.id);
      if (!mark) return history;
      return perform(history, apply(present, { type: 'change', mark: moveBy(mark, step.by) }), `nudge ${step.id}`);
    }
    case 'undo':
      return undo(history);
    case 'redo':
      return redo(history);
    default:
      throw new Error('unknown');
  }
};

const histories = fc
  .array(deed, { maxLength: 30 })
  .map((deeds) => deeds.reduce(follow, beginHistory(emptyDocument(PICTURE))));

describe('history', () => {
  it('undo and then redo is where one was, however one came there', () => {
    fc.assert(
      fc.property(histories, (history) => {
        fc.pre(history.past.length > 0);
        expect(redo(undo(history)).present).toBe(history.present);
        expect(redo(undo(history)).past).toEqual(history.past);
      }),
    );
  });

  it('all undone is the untouched picture, and all redone is what it was', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let back = history;
        while (back.past.length > 0) back = undo(back);
        expect(isEdited(back.present)).toBe(false);
        let forth = back;
        while (forth.future.length > 0) forth = redo(forth);
        const furthest = history.future.at(-1) ?? history.present;
        expect(forth.present).toBe(furthest);
      }),
    );
  });

  it('a new change ends what could be redone', () => {
    const empty = beginHistory(emptyDocument(PICTURE));
    const mark: NewMark = { kind: 'step', at: { x: 9, y: 9 }, radius: 9, colour: '#ffffff' };
    const one = perform(empty, apply(empty.present, { type: 'add', mark }));
    const other = perform(undo(one), apply(empty.present, { type: 'crop', box: { x: 0, y: 0, width: 9, height: 9 } }));
    expect(redo(other)).toBe(other);
  });

  it('the presses of an arrow key on one mark are one step, until something else happens', () => {
    const empty = beginHistory(emptyDocument(PICTURE));
    const mark: NewMark = { kind: 'step', at: { x: 9, y: 9 }, radius: 9, colour: '#ffffff' };
    let history = perform(empty, apply(empty.present, { type: 'add', mark }));
    const nudge = () => {
      history = follow(history, { does: 'nudge', id: 1, by: { x: 1, y: 0 } });
    };
    nudge();
    nudge();
    nudge();
    expect(history.present.marks[0]).toMatchObject({ at: { x: 12, y: 9 } });
    expect(undo(history).present.marks[0]).toMatchObject({ at: { x: 9, y: 9 } });
    history = pause(history);
    nudge();
    expect(undo(history).present.marks[0]).toMatchObject({ at: { x: 12, y: 9 } });
  });
});

describe('document', () => {
  it('a redaction and a crop are whole pixels and hold all that was asked of them, the crop within the picture', () => {
    fc.assert(
      fc.property(box, fc.constantFrom('solid' as const, 'mosaic' as const), (wanted, look) => {
        const mark: NewMark = { kind: 'redaction', box: wanted, look, seed: 1, colour: '#000000' };
        const redacted = apply(emptyDocument(PICTURE), { type: 'add', mark }).marks[0];
        const cropped = apply(emptyDocument(PICTURE), { type: 'crop', box: wanted });
        const crop = cropped.crop ?? PICTURE_BOX;
        const hidden = redacted ? boundsOf(redacted) : crop;
        for (const { x, y, width: w, height: h } of [hidden, crop])
          expect([x, y, w, h].every(Number.isInteger) && w >= 1 && h >= 1).toBe(true);
        expect(holds(hidden, wanted)).toBe(true);
        expect(holds(PICTURE_BOX, crop)).toBe(true);
        const seen = overlap(wanted, PICTURE_BOX);
        if (seen) expect(holds(crop, seen)).toBe(true);
      }),
    );
  });

  it('a crop of everything is no crop', () => {
    const whole = { x: -3, y: -3, width: 2_000, height: 2_000 };
    expect(isEdited(apply(emptyDocument(PICTURE), { type: 'crop', box: whole }))).toBe(false);
  });

  it('steps are numbered without a gap, also after one is deleted', () => {
    const step: NewMark = { kind: 'step', at: { x: 9, y: 9 }, radius: 9, colour: '#ffffff' };
    let document = emptyDocument(PICTURE);
    for (let count = 0; count < 3; count += 1) document = apply(document, { type: 'add', mark: step });
    document = apply(document, { type: 'remove', id: 2 });
    expect(document.marks.map(({ id: known }) => stepNumber(document, known))).toEqual([1, 2]);
  });

  it('a command that changes nothing answers the same document', () => {
    const document = emptyDocument(PICTURE);
    expect(apply(document, { type: 'remove', id: 7 })).toBe(document);
    expect(apply(document, { type: 'crop', box: null })).toBe(document);
    expect(apply(document, { type: 'duplicate', id: 7, by: { x: 1, y: 1 } })).toBe(document);
  });
});

describe('marks', () => {
  const mark = newMark.map((made): Mark => ({ ...made, id: 1 }) as Mark);

  it('keep their size when they are moved, and come back', () => {
    fc.assert(
      fc.property(mark, fc.record({ x: fc.integer({ min: -99, max: 99 }), y: fc.integer() }), (made, by) => {
        fc.pre(Math.abs(by.y) < 99);
        const moved = boundsOf(moveBy(made, by));
        const before = boundsOf(made);
        expect(moved.width).toBeCloseTo(before.width, 6);
        expect(moved.x - before.x).toBeCloseTo(by.x, 6);
        expect(moved.y - before.y).toBeCloseTo(by.y, 6);
      }),
    );
  });

  it('do not grow when they are moved by fractions, as a hand does', () => {
    fc.assert(
      fc.property(newMark, fc.array(point, { maxLength: 5 }), (made, ways) => {
        const begun = apply(emptyDocument(PICTURE), { type: 'add', mark: made });
        const size = ({ marks: [only] }: typeof begun) => (only ? boundsOf(only) : PICTURE_BOX);
        const moved = ways.reduce((document, by) => {
          const [only] = document.marks;
          return only ? apply(document, { type: 'change', mark: moveBy(only, by) }) : document;
        }, begun);
        expect(size(moved).width).toBeCloseTo(size(begun).width, 6);
        expect(size(moved).height).toBeCloseTo(size(begun).height, 6);
      }),
    );
  });

  it('stay in place when a handle is pulled to where it is', () => {
    fc.assert(
      fc.property(mark, (made) => {
        const before = boundsOf(made);
        fc.pre(before.width > 1 && before.height > 1);
        for (const handle of handlesOf(made)) {
          const after = boundsOf(pull(made, handle.name, handle));
          for (const side of ['x', 'y', 'width', 'height'] as const) expect(after[side]).toBeCloseTo(before[side], 6);
        }
      }),
    );
  });

  it('never become too small to be dragged, whatever is resized', () => {
    fc.assert(
      fc.property(mark, point, (made, to) => {
        for (const { name } of handlesOf(made)) {
          const { width: w, height: h } = boundsOf(pull(made, name, to));
          const isDrawnFreely = made.kind === 'arrow' || made.kind === 'line' || made.kind === 'pen';
          if (!isDrawnFreely) expect(Math.min(w, h)).toBeGreaterThanOrEqual(1 - 1e-9);
          expect(Number.isFinite(w) && Number.isFinite(h)).toBe(true);
        }
        expect(Number.isFinite(boundsOf(resizeBy(made, { x: -10_000, y: -10_000 })).width)).toBe(true);
      }),
    );
  });
});
