/**
 * The state of one capture in the editor: its document with undo history, selection, tool, view and the text being
 * typed, and the actions that change them.
 */
import { createStore } from 'zustand/vanilla';
import type { Backdrop } from '../../ipc/protocol/drawing.ts';
import { boxOf, centreOf } from './box-geometry.ts';
import {
  apply,
  beginHistory,
  type Command,
  type Document,
  emptyDocument,
  findMark,
  frameOf,
  type History,
  pause,
  perform,
  redo,
  undo,
} from './document.ts';
import type { Box, Mark, MarkId, MarkKind, NewMark, Point, Size, TextMark } from './mark.ts';
import {
  besideOf,
  type DrawingTool,
  draw,
  FIRST_STYLE,
  hasWidth,
  lineWidth,
  purposeOf,
  type Style,
  stepRadius,
  type Tool,
  textHeight,
} from './tools.ts';
import { boundsOf, moveBy, pullBox, resizeBy } from './transform.ts';
import { type Placement, panBy, placeImage, type View, type Viewport, zoomAt } from './viewport.ts';

/** A text being edited; `id` null: it is not in the document yet. */
export interface TextEdit {
  readonly id: MarkId | null;
  readonly at: Point;
  readonly text: string;
  readonly size: number;
  readonly colour: string;
}

/** The last action, announced to screen readers. */
export type EditorAction =
  | 'added'
  | 'removed'
  | 'selected'
  | 'moved'
  | 'resized'
  | 'undone'
  | 'redone'
  | 'cropped'
  | 'surrounded';

export interface Announcement {
  readonly action: EditorAction;
  readonly mark: Mark | null;
  /** It contains the mark: the document after the action, or before a removal. */
  readonly document: Document;
}

export interface EditorState {
  readonly history: History;
  readonly selected: MarkId | null;
  readonly tool: Tool;
  readonly style: Style;
  readonly view: View;
  readonly viewport: Viewport;
  readonly writing: TextEdit | null;
  readonly announcement: Announcement | null;
  /** The document that releasing the pointer would commit; null: no gesture is active. */
  readonly preview: Document | null;
}

export interface EditorDeps {
  readonly picture: Size;
  /** The marks drawn on it before; undefined: none. */
  readonly drawn?: Document | undefined;
  readonly style?: Style | undefined;
  /** The tool selected at first. */
  readonly tool: Tool;
  /** A new integer in [0, 2^32). */
  readonly seed: () => number;
  readonly measure: (text: string, size: number) => Size;
}

/** The document as shown, including the preview of a gesture. */
export const shownDocument = ({ preview, history }: EditorState): Document => preview ?? history.present;

/** The visible part of the image: the exported frame, or all of it while cropping. */
export const shownFrame = ({ tool, history }: EditorState): Box =>
  tool === 'crop' ? boxOf(history.present.picture) : frameOf(history.present);

export const placementOf = (state: EditorState): Placement => placeImage(state.view, shownFrame(state), state.viewport);

/** Actions that merge several small changes into one undo step. */
type Ongoing = 'move' | 'resize' | 'style';

export const createEditorSession = ({ picture, drawn, style = FIRST_STYLE, tool, seed, measure }: EditorDeps) => {
  const store = createStore<EditorState>(() => ({
    history: beginHistory(drawn ?? emptyDocument(picture)),
    selected: null,
    tool,
    style,
    viewport: { width: 1, height: 1, scale: 1 },
    view: { zoom: 'fit', centre: centreOf(boxOf(picture)) },
    writing: null,
    announcement: null,
    preview: null,
  }));

  const document = (): Document => store.getState().history.present;
  const selected = (): Mark | undefined => findMark(document(), store.getState().selected);

  const run = (command: Command, ongoing: string | null = null): void =>
    store.setState(({ history }) => ({ history: perform(history, apply(history.present, command), ongoing) }));

  const announce = (action: EditorAction, mark: Mark | null, containing: Document = document()): void =>
    store.setState({ announcement: { action, mark, document: containing } });

  const select = (id: MarkId | null): void => {
    if (id === store.getState().selected) return;
    store.setState(({ history }) => ({ selected: id, history: pause(history) }));
    if (id !== null) announce('selected', selected() ?? null);
  };

  const add = (mark: NewMark): void => {
    const id = document().nextId;
    run({ type: 'add', mark });
    store.setState({ selected: id });
    announce('added', selected() ?? null);
  };

  const change = (mark: Mark, ongoing: Ongoing | null = null): void =>
    run({ type: 'change', mark }, ongoing && `${ongoing} ${mark.id}`);

  const travel = (step: (history: History) => History, action: EditorAction): void => {
    session.commitText();
    const before = store.getState().history;
    const history = step(before);
    if (history === before) return;
    const { selected: id } = store.getState();
    store.setState({ history, selected: findMark(history.present, id) ? id : null });
    announce(action, null);
  };

  const textMark = ({ at, text, size, colour }: TextEdit): Omit<TextMark, 'id'> => {
    return { kind: 'text', at, text, size, colour, extent: measure(text, size) };
  };

  /** A position where no mark of the same kind is yet, because a mark that covers another would be invisible. */
  const freePosition = (kind: MarkKind, wanted: Point): Point => {
    const by = besideOf(picture);
    const centres = document()
      .marks.filter((mark) => mark.kind === kind)
      .map((mark) => centreOf(boundsOf(mark)));
    const isTaken = ({ x, y }: Point) => centres.some((one) => Math.hypot(one.x - x, one.y - y) < 2);
    const next = ({ x, y }: Point): Point => (isTaken({ x, y }) ? next({ x: x + by, y: y + by }) : { x, y });
    return next(wanted);
  };

  /** The command that commits the text edit; null: no change. An empty text removes its mark. */
  const writtenBy = (writing: TextEdit): Command | null => {
    const before = findMark(document(), writing.id);
    if (writing.text.trim() === '') return before ? { type: 'remove', id: before.id } : null;
    if (writing.id === null) return { type: 'add', mark: textMark(writing) };
    const isSame = before?.kind === 'text' && before.text === writing.text && before.size === writing.size;
    return before && !isSame ? { type: 'change', mark: { ...textMark(writing), id: before.id } } : null;
  };

  const restyled = (mark: Mark, { colours, width, textSize, look }: Partial<Style>): Mark => {
    const colour = colours?.[purposeOf(mark.kind)];
    const inked = colour === undefined ? mark : { ...mark, colour };
    if (width !== undefined && inked.kind === 'step') return { ...inked, radius: stepRadius(width, picture) };
    if (width !== undefined && hasWidth(inked.kind)) return { ...inked, width: lineWidth(width, picture) } as Mark;
    if (textSize !== undefined && inked.kind === 'text') {
      const size = textHeight(textSize, picture);
      return { ...inked, size, extent: measure(inked.text, size) };
    }
    return look !== undefined && inked.kind === 'redaction' ? { ...inked, look } : inked;
  };

  /** Arrow keys: moves or resizes the selected mark, or the frame while cropping. */
  const adjust = (by: Point, how: 'move' | 'resize'): void => {
    const { tool } = store.getState();
    if (tool === 'crop') {
      const frame = frameOf(document());
      const moved = { ...frame, x: frame.x + by.x, y: frame.y + by.y };
      run({ type: 'crop', box: how === 'move' ? keepInside(moved, picture) : resizeFromCorner(frame, by) }, 'crop');
      announce('cropped', null);
      return;
    }
    const mark = selected();
    if (!mark) return;
    change(how === 'move' ? moveBy(mark, by) : resizeBy(mark, by), how);
    announce(how === 'move' ? 'moved' : 'resized', selected() ?? null);
  };

  /** The crop before the crop tool was selected. */
  let cropBefore: Box | null = null;

  const session = {
    store,
    select,
    add,
    change,
    adjust,
    announce,
    preview: (preview: Document | null): void => store.setState({ preview }),
    use: (tool: Tool): void => {
      session.commitText();
      if (tool === 'crop' && store.getState().tool !== 'crop') cropBefore = document().crop;
      store.setState(({ history }) => ({
        tool,
        history: pause(history),
        // The selection stays, so that its style can be changed; the crop frame is always shown alone.
        ...(tool === 'crop' && { selected: null }),
      }));
    },
    remove: (id: MarkId): void => {
      const mark = findMark(document(), id);
      if (!mark) return;
      const before = document();
      run({ type: 'remove', id });
      if (store.getState().selected === id) store.setState({ selected: null });
      announce('removed', mark, before);
    },
    duplicate: (id: MarkId): void => {
      const copy = document().nextId;
      const beside = besideOf(picture);
      run({ type: 'duplicate', id, by: { x: beside, y: beside } });
      if (!findMark(document(), copy)) return;
      store.setState({ selected: copy });
      announce('added', selected() ?? null);
    },
    crop: (box: Box | null): void => run({ type: 'crop', box }),
    surround: (backdrop: Backdrop | null): void => {
      session.commitText();
      const before = document();
      run({ type: 'backdrop', backdrop });
      if (document() !== before) announce('surrounded', null);
    },
    /** Restores the crop from before the crop tool was selected. */
    cancelCrop: (): void => {
      session.endStep();
      session.crop(cropBefore);
      session.use('select');
    },
    /** Ends the current undo step; later changes start a new one. */
    endStep: (): void => store.setState(({ history }) => ({ history: pause(history) })),
    undo: (): void => travel(undo, 'undone'),
    redo: (): void => travel(redo, 'redone'),
    setView: (view: View): void => store.setState({ view }),
    /** Moves the view by CSS pixels. */
    pan: (by: Point): void =>
      store.setState((state) => ({ view: panBy(state.view, by, shownFrame(state), state.viewport) })),
    /** By a factor, around the centre of the view; `fit`: as large as fits. */
    zoom: (by: number | 'fit'): void =>
      store.setState((state) => {
        const { view, viewport } = state;
        const middle = { x: viewport.width / 2, y: viewport.height / 2 };
        if (by === 'fit') return { view: { zoom: 'fit', centre: view.centre } };
        return { view: zoomAt(view, by, middle, shownFrame(state), viewport) };
      }),
    resize: (viewport: Viewport): void => store.setState({ viewport }),
    /** Applies to new marks and to the selected one. */
    restyle: (change_: Partial<Omit<Style, 'colours'>> & { readonly colour?: string }, of: DrawingTool): void => {
      const { colour, ...rest } = change_;
      store.setState(({ style: before, writing }) => ({
        style: {
          ...before,
          ...rest,
          ...(colour !== undefined && { colours: { ...before.colours, [purposeOf(of)]: colour } }),
        },
        writing: writing && {
          ...writing,
          ...(colour !== undefined && { colour }),
          ...(rest.textSize !== undefined && { size: textHeight(rest.textSize, picture) }),
        },
      }));
      const mark = selected();
      const colours = { ...store.getState().style.colours };
      if (mark) change(restyled(mark, { ...rest, ...(colour !== undefined && { colours }) }), 'style');
    },
    /** Starts a new text or edits an existing one. */
    write: (from: Point | TextMark): void => {
      session.commitText();
      const { style: now } = store.getState();
      const newText = {
        id: null,
        text: '',
        size: textHeight(now.textSize, picture),
        colour: now.colours.ink,
      } as const;
      if ('kind' in from) store.setState({ writing: from, selected: from.id });
      else store.setState({ writing: { ...newText, at: from }, selected: null });
    },
    type: (text: string): void => store.setState(({ writing }) => ({ writing: writing && { ...writing, text } })),
    /** Commits the text edit to the document. */
    commitText: (): void => {
      const { writing } = store.getState();
      if (!writing) return;
      store.setState({ writing: null });
      const written = writtenBy(writing);
      if (written?.type === 'add') add(written.mark);
      else if (written?.type === 'remove') session.remove(written.id);
      else if (written) run(written);
    },
    /** The document including an uncommitted text edit, for saving. */
    documentToSave: (): Document => {
      const { writing } = store.getState();
      const written = writing && writtenBy(writing);
      return written ? apply(document(), written) : document();
    },
    /**
     * Inserts a mark without a pointer: around a point, in a size that suits the visible part, offset from marks of the
     * same kind.
     */
    insertMark: (tool: Exclude<DrawingTool, 'text'>, wanted: Point, room: Size): void => {
      const around = freePosition(tool, wanted);
      const reach = { x: Math.min(room.width, picture.width) / 8, y: Math.min(room.height, picture.height) / 8 };
      const from = { x: Math.round(around.x - reach.x), y: Math.round(around.y - reach.y) };
      const to = { x: Math.round(around.x + reach.x), y: Math.round(around.y + reach.y) };
      const isPoint = tool === 'step';
      add(draw(tool, isPoint ? around : from, isPoint ? around : to, { ...session.making() }));
    },
    /** Adds a redaction over a part of the picture, in the style of the tool. */
    hide: ({ x, y, width, height }: Box): void =>
      add(draw('redaction', { x, y }, { x: x + width, y: y + height }, session.making())),
    making: () => ({ style: store.getState().style, picture, seed: seed() }),
  };
  return session;
};

export type EditorSession = ReturnType<typeof createEditorSession>;

const keepInside = (box: Box, picture: Size): Box => ({
  ...box,
  x: Math.min(Math.max(0, box.x), picture.width - box.width),
  y: Math.min(Math.max(0, box.y), picture.height - box.height),
});

/** Moves the lower right corner, but never past the opposite one. */
const resizeFromCorner = (box: Box, by: Point): Box =>
  pullBox(box, 'se', {
    x: Math.max(box.x + 1, box.x + box.width + by.x),
    y: Math.max(box.y + 1, box.y + box.height + by.y),
  });
