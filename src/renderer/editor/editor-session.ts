/** One capture in the editor: its document with all that can be undone, what is selected, and how the tools are set. */
import { createStore } from 'zustand/vanilla';
import { type Placement, panBy, place, type View, type Viewport, zoomAt } from './canvas/viewport.ts';
import { apply, type Command, type Document, emptyDocument, findMark, frameOf } from './document.ts';
import { beginHistory, type History, pause, perform, redo, undo } from './history.ts';
import { besideOf, FIRST_STYLE, lineWidth, purposeOf, type Style, stepRadius, textHeight } from './mark-style.ts';
import { boxOf, centreOf } from './marks/box.ts';
import type { Box, Mark, MarkId, MarkKind, NewMark, Point, Size, TextMark } from './marks/mark.ts';
import { boundsOf, moveBy, pullBox, resizeBy } from './marks/transform.ts';
import { type DrawingTool, draw, hasWidth, type Tool } from './tools.ts';

/** A text that is being written; `id` null: it is not in the document yet. */
export interface TextEdit {
  readonly id: MarkId | null;
  readonly at: Point;
  readonly text: string;
  readonly size: number;
  readonly colour: string;
}

/** What has just happened, for those who do not see it. */
export type EditorAction = 'added' | 'removed' | 'selected' | 'moved' | 'resized' | 'undone' | 'redone' | 'cropped';

export interface Announcement {
  readonly deed: EditorAction;
  readonly mark: Mark | null;
}

export interface EditorState {
  readonly history: History;
  readonly selected: MarkId | null;
  readonly tool: Tool;
  readonly style: Style;
  readonly view: View;
  readonly viewport: Viewport;
  readonly writing: TextEdit | null;
  readonly said: Announcement | null;
  /** What the document would be if the hand let go now; null: the hand does nothing. */
  readonly preview: Document | null;
}

export interface EditorDeps {
  readonly picture: Size;
  /** What was drawn on it before; left out: nothing. */
  readonly drawn?: Document | undefined;
  readonly style?: Style | undefined;
  /** The one in hand at first. */
  readonly tool: Tool;
  /** A new whole number from 0 below 2^32. */
  readonly seed: () => number;
  readonly measure: (text: string, size: number) => Size;
}

/** As it is seen at this moment. */
export const shownDocument = ({ preview, history }: EditorState): Document => preview ?? history.present;

/** What of the picture is shown: what leaves, or all of it while a person decides that. */
export const shownFrame = ({ tool, history }: EditorState): Box =>
  tool === 'crop' ? boxOf(history.present.picture) : frameOf(history.present);

export const placementOf = (state: EditorState): Placement => place(state.view, shownFrame(state), state.viewport);

/** What may be done in several small goes that are one step of undo. */
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
    said: null,
    preview: null,
  }));

  const document = (): Document => store.getState().history.present;
  const selected = (): Mark | undefined => findMark(document(), store.getState().selected);

  const run = (command: Command, ongoing: string | null = null): void =>
    store.setState(({ history }) => ({ history: perform(history, apply(history.present, command), ongoing) }));

  const say = (deed: EditorAction, mark: Mark | null): void => store.setState({ said: { deed, mark } });

  const select = (id: MarkId | null): void => {
    if (id === store.getState().selected) return;
    store.setState(({ history }) => ({ selected: id, history: pause(history) }));
    if (id !== null) say('selected', selected() ?? null);
  };

  const add = (mark: NewMark): void => {
    const id = document().nextId;
    run({ type: 'add', mark });
    store.setState({ selected: id });
    say('added', selected() ?? null);
  };

  const change = (mark: Mark, ongoing: Ongoing | null = null): void =>
    run({ type: 'change', mark }, ongoing && `${ongoing} ${mark.id}`);

  const travel = (step: (history: History) => History, deed: EditorAction): void => {
    session.commitText();
    const before = store.getState().history;
    const history = step(before);
    if (history === before) return;
    const { selected: id } = store.getState();
    store.setState({ history, selected: findMark(history.present, id) ? id : null });
    say(deed, null);
  };

  const textMark = ({ at, text, size, colour }: TextEdit): Omit<TextMark, 'id'> => {
    return { kind: 'text', at, text, size, colour, extent: measure(text, size) };
  };

  /** Where no mark of this kind lies already: one that covers the other would look like none. */
  const freePlace = (kind: MarkKind, wanted: Point): Point => {
    const by = besideOf(picture);
    const centres = document()
      .marks.filter((mark) => mark.kind === kind)
      .map((mark) => centreOf(boundsOf(mark)));
    const isTaken = ({ x, y }: Point) => centres.some((one) => Math.hypot(one.x - x, one.y - y) < 2);
    const next = ({ x, y }: Point): Point => (isTaken({ x, y }) ? next({ x: x + by, y: y + by }) : { x, y });
    return next(wanted);
  };

  /** What the text that is being written does to the document; null: nothing. One without a letter is gone. */
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

  /** Arrow keys: the mark that is selected, or the frame while cropping. */
  const adjust = (by: Point, how: 'move' | 'resize'): void => {
    const { tool } = store.getState();
    if (tool === 'crop') {
      const frame = frameOf(document());
      const moved = { ...frame, x: frame.x + by.x, y: frame.y + by.y };
      run({ type: 'crop', box: how === 'move' ? keepInside(moved, picture) : stretch(frame, by) }, 'crop');
      say('cropped', null);
      return;
    }
    const mark = selected();
    if (!mark) return;
    change(how === 'move' ? moveBy(mark, by) : resizeBy(mark, by), how);
    say(how === 'move' ? 'moved' : 'resized', selected() ?? null);
  };

  /** What the crop was when it was begun to be chosen anew. */
  let cropBefore: Box | null = null;

  const session = {
    store,
    select,
    add,
    change,
    adjust,
    say,
    preview: (preview: Document | null): void => store.setState({ preview }),
    use: (tool: Tool): void => {
      session.commitText();
      if (tool === 'crop' && store.getState().tool !== 'crop') cropBefore = document().crop;
      store.setState(({ history }) => ({
        tool,
        history: pause(history),
        // What is selected stays, so that its look can be changed; only the frame of a crop stands alone.
        ...(tool === 'crop' && { selected: null }),
      }));
    },
    remove: (id: MarkId): void => {
      const mark = findMark(document(), id);
      if (!mark) return;
      run({ type: 'remove', id });
      if (store.getState().selected === id) store.setState({ selected: null });
      say('removed', mark);
    },
    duplicate: (id: MarkId): void => {
      const copy = document().nextId;
      const beside = besideOf(picture);
      run({ type: 'duplicate', id, by: { x: beside, y: beside } });
      if (!findMark(document(), copy)) return;
      store.setState({ selected: copy });
      say('added', selected() ?? null);
    },
    crop: (box: Box | null): void => run({ type: 'crop', box }),
    /** Leaves the frame as it was before it was worked on. */
    cancelCrop: (): void => {
      session.settle();
      session.crop(cropBefore);
      session.use('select');
    },
    /** The hand lets go, or another thing begins: what comes now is a step of its own. */
    settle: (): void => store.setState(({ history }) => ({ history: pause(history) })),
    undo: (): void => travel(undo, 'undone'),
    redo: (): void => travel(redo, 'redone'),
    look: (view: View): void => store.setState({ view }),
    /** Moves what is seen by CSS pixels. */
    pan: (by: Point): void =>
      store.setState((state) => ({ view: panBy(state.view, by, shownFrame(state), state.viewport) })),
    /** By a factor, around the middle of what is seen; `fit`: as large as there is room for. */
    zoom: (by: number | 'fit'): void =>
      store.setState((state) => {
        const { view, viewport } = state;
        const middle = { x: viewport.width / 2, y: viewport.height / 2 };
        if (by === 'fit') return { view: { zoom: 'fit', centre: view.centre } };
        return { view: zoomAt(view, by, middle, shownFrame(state), viewport) };
      }),
    resize: (viewport: Viewport): void => store.setState({ viewport }),
    /** For new marks, and for the one that is selected. */
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
    /** Begins a new text, or goes on with one that is there. */
    write: (from: Point | TextMark): void => {
      session.commitText();
      const { style: now } = store.getState();
      const fresh = {
        id: null,
        text: '',
        size: textHeight(now.textSize, picture),
        colour: now.colours.ink,
      } as const;
      if ('kind' in from) store.setState({ writing: from, selected: from.id });
      else store.setState({ writing: { ...fresh, at: from }, selected: null });
    },
    type: (text: string): void => store.setState(({ writing }) => ({ writing: writing && { ...writing, text } })),
    /** Puts the text where it belongs. */
    commitText: (): void => {
      const { writing } = store.getState();
      if (!writing) return;
      store.setState({ writing: null });
      const written = writtenBy(writing);
      if (written?.type === 'add') add(written.mark);
      else if (written?.type === 'remove') session.remove(written.id);
      else if (written) run(written);
    },
    /** All that would be lost with the window, a text that is being written with it. */
    kept: (): Document => {
      const { writing } = store.getState();
      const written = writing && writtenBy(writing);
      return written ? apply(document(), written) : document();
    },
    /** Without a pointer: puts what the tool makes around a point, in a size that suits the part that is seen; beside its like. */
    place: (tool: Exclude<DrawingTool, 'text'>, wanted: Point, room: Size): void => {
      const around = freePlace(tool, wanted);
      const reach = { x: Math.min(room.width, picture.width) / 8, y: Math.min(room.height, picture.height) / 8 };
      const from = { x: Math.round(around.x - reach.x), y: Math.round(around.y - reach.y) };
      const to = { x: Math.round(around.x + reach.x), y: Math.round(around.y + reach.y) };
      const isPoint = tool === 'step';
      add(draw(tool, isPoint ? around : from, isPoint ? around : to, { ...session.making() }));
    },
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

/** The lower right corner goes by so much, and never past the other one. */
const stretch = (box: Box, by: Point): Box =>
  pullBox(box, 'se', {
    x: Math.max(box.x + 1, box.x + box.width + by.x),
    y: Math.max(box.y + 1, box.y + box.height + by.y),
  });
