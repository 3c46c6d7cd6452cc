/** The editor session without a window: effects of tools, keys and the style bar. */
import { expect, it } from 'vitest';
import { centreOf } from '../../../src/renderer/drawing/box-geometry.ts';
import { createEditorSession } from '../../../src/renderer/drawing/editor-session.ts';
import type { TextMark } from '../../../src/renderer/drawing/mark.ts';
import { besideOf, COLOURS } from '../../../src/renderer/drawing/tools.ts';
import { boundsOf } from '../../../src/renderer/drawing/transform.ts';
import { announcementOf } from '../../../src/renderer/editor/mark-names.ts';
import { en } from '../../../src/renderer/locales/en.ts';
import { createLocale } from '../../../src/renderer/locales/locale.tsx';

const PICTURE = { width: 800, height: 600 };
const open = () => {
  const session = createEditorSession({
    picture: PICTURE,
    tool: 'arrow',
    seed: () => 7,
    measure: (text, size) => ({ width: text.length * size, height: size }),
  });
  session.resize({ width: 800, height: 600, scale: 1 });
  const state = () => session.store.getState();
  const marks = () => state().history.present.marks;
  return { session, state, marks };
};
const MIDDLE = { x: 400, y: 300 };

it('a mark placed without a pointer is in the middle of the visible area, and is selected', () => {
  const { session, state, marks } = open();
  session.insertMark('rectangle', MIDDLE, PICTURE);
  expect(marks()).toMatchObject([{ kind: 'rectangle', box: { x: 300, y: 225, width: 200, height: 150 } }]);
  expect(state().selected).toBe(1);
  expect(state().announcement).toMatchObject({ action: 'added', mark: { id: 1 } });
});

it('the look is that of the selected mark and of the next ones, each purpose with its own colour', () => {
  const { session, marks, state } = open();
  session.insertMark('rectangle', MIDDLE, PICTURE);
  session.restyle({ colour: COLOURS.blue }, 'rectangle');
  session.restyle({ colour: COLOURS.green, width: 'thick' }, 'rectangle');
  session.insertMark('arrow', MIDDLE, PICTURE);
  session.insertMark('highlight', MIDDLE, PICTURE);
  session.insertMark('redaction', MIDDLE, PICTURE);
  expect(marks().map(({ colour }) => colour)).toEqual([COLOURS.green, COLOURS.green, COLOURS.yellow, COLOURS.black]);
  expect(marks()[0]).toMatchObject({ width: 9 });
  // Trying several looks on one mark is one step.
  expect(state().history.past).toHaveLength(5);
});

it('a text is kept when it has a letter, deleted when it has none, and no undo step when unchanged', () => {
  const { session, marks, state } = open();
  session.write(MIDDLE);
  session.commitText();
  expect(marks()).toEqual([]);
  session.write(MIDDLE);
  session.type('Hello');
  session.use('select');
  expect(marks()).toMatchObject([{ kind: 'text', text: 'Hello', extent: { width: 5 * 24, height: 24 } }]);
  session.write(marks()[0] as TextMark);
  session.commitText();
  expect(state().history.past).toHaveLength(1);
  session.write(marks()[0] as TextMark);
  session.type('  ');
  session.commitText();
  expect(marks()).toEqual([]);
  session.undo();
  expect(marks()).toMatchObject([{ text: 'Hello' }]);
});

it('undo while a text is written takes that text, and redo brings it back', () => {
  const { session, marks } = open();
  session.insertMark('step', MIDDLE, PICTURE);
  session.write(MIDDLE);
  session.type('Hello');
  session.undo();
  expect(marks().map(({ kind }) => kind)).toEqual(['step']);
  session.redo();
  expect(marks().map(({ kind }) => kind)).toEqual(['step', 'text']);
});

it('a deleted mark is not selected', () => {
  const { session, state } = open();
  session.insertMark('step', MIDDLE, PICTURE);
  session.undo();
  expect(state().selected).toBeNull();
  session.redo();
  session.select(1);
  session.remove(1);
  expect(state().selected).toBeNull();
});

it('a frame moved by keys stays within the picture and keeps its size', () => {
  const { session, state } = open();
  session.use('crop');
  session.crop({ x: 700, y: 500, width: 80, height: 90 });
  for (let press = 0; press < 40; press += 1) session.adjust({ x: 1, y: 1 }, 'move');
  expect(state().history.present.crop).toEqual({ x: 720, y: 510, width: 80, height: 90 });
  for (let press = 0; press < 99; press += 1) session.adjust({ x: -1, y: -1 }, 'resize');
  expect(state().history.present.crop).toEqual({ x: 720, y: 510, width: 1, height: 1 });
});

it('a copy is placed beside the original, not on top', () => {
  const { session, marks, state } = open();
  session.insertMark('ellipse', MIDDLE, PICTURE);
  session.duplicate(1);
  const [first, copy] = marks();
  expect(copy).toMatchObject({ kind: 'ellipse', id: 2 });
  expect(copy).not.toEqual({ ...first, id: 2 });
  expect(state().selected).toBe(2);
});

it('a text that is being written is kept before it is done, and does nothing to the history', () => {
  const { session, marks, state } = open();
  session.write(MIDDLE);
  session.type('half a wo');
  expect(session.documentToSave().marks).toMatchObject([{ id: 1, kind: 'text', text: 'half a wo' }]);
  expect(marks()).toEqual([]);
  session.commitText();
  const [text] = marks();
  session.write(text as TextMark);
  session.type(' ');
  expect(session.documentToSave().marks).toEqual([]);
  session.type('a word');
  expect(session.documentToSave().marks).toMatchObject([{ id: 1, text: 'a word' }]);
  expect(state().history.past).toHaveLength(1);
});

it('a frame that is cancelled is restored, one that is finished stays', () => {
  const { session, state } = open();
  const crop = () => state().history.present.crop;
  session.use('crop');
  session.adjust({ x: -100, y: 0 }, 'resize');
  session.cancelCrop();
  expect([crop(), state().tool]).toEqual([null, 'select']);
  session.use('crop');
  session.adjust({ x: -100, y: 0 }, 'resize');
  session.use('select');
  expect(crop()).toMatchObject({ width: 700 });
  session.use('crop');
  session.adjust({ x: -100, y: 0 }, 'resize');
  session.cancelCrop();
  expect(crop()).toMatchObject({ width: 700 });
  session.undo();
  expect(crop()).toMatchObject({ width: 600 });
});

it('a mark placed without a pointer is placed beside an equal one, which it would cover', () => {
  const { session, marks } = open();
  for (const tool of ['step', 'step', 'rectangle', 'step'] as const) session.insertMark(tool, MIDDLE, PICTURE);
  const places = marks().map((mark) => (mark.kind === 'step' ? mark.at : centreOf(boundsOf(mark))));
  const beside = besideOf(PICTURE);
  expect(places).toEqual([0, 1, 0, 2].map((times) => ({ x: 400 + times * beside, y: 300 + times * beside })));
});

it('a mark that is deleted is announced by the number that it had', () => {
  const { session, state, marks } = open();
  for (let times = 0; times < 3; times++) session.insertMark('arrow', MIDDLE, PICTURE);
  const [first] = marks();
  session.remove(first?.id ?? 0);
  const { announcement } = state();
  expect(announcement && announcementOf(announcement, createLocale('en', en))).toBe('Arrow 1 deleted');
});
