/**
 * Types of the part of `x11` that is used. Every request ends in a callback; a callback that returns true has handled
 * the error.
 */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex } from 'node:stream';

  export interface XError extends Error {
    /** Error code of the protocol; absent where the connection failed. */
    readonly error?: number;
  }
  export type Answer<T> = (error: XError | null | undefined, value: T) => boolean;

  /** `class`: 4 and 5 store colours in the pixel itself, the others an index into a palette. */
  export interface XVisual {
    readonly class: number;
    readonly red_mask: number;
    readonly green_mask: number;
    readonly blue_mask: number;
  }
  export interface XScreen {
    readonly root: number;
    readonly root_visual: number;
    readonly root_depth: number;
    /** Visuals by depth, then by id. */
    readonly depths: Readonly<Record<number, Readonly<Record<number, XVisual>>>>;
  }
  export interface XDisplay {
    readonly client: XClient;
    readonly screen: readonly XScreen[];
    /** By depth. */
    readonly format: Readonly<Record<number, { readonly bits_per_pixel: number; readonly scanline_pad: number }>>;
    /** Of pixels: 0 is least significant byte first. */
    readonly image_byte_order: number;
    readonly min_keycode: number;
    readonly max_keycode: number;
  }
  export type XEvent =
    | {
        readonly name: 'KeyPress' | 'KeyRelease';
        readonly keycode: number;
        readonly time: number;
        readonly buttons: number;
      }
    | { readonly name: 'MappingNotify'; readonly request: number }
    | { readonly name: 'SelectionClear'; readonly owner: number; readonly selection: number }
    | {
        readonly name: 'SelectionRequest';
        readonly owner: number;
        readonly requestor: number;
        readonly selection: number;
        readonly target: number;
        /** 0: of an obsolete client, which expects the name of the target. */
        readonly property: number;
        readonly time: number;
      };

  export interface XClient extends EventEmitter<{ error: [XError]; end: []; event: [XEvent] }> {
    /** Numbers of names: the server's, but all clients share one object to begin with. */
    atoms: Readonly<Record<string, number>>;
    terminate(): void;
    /**
     * Adds requests: each packs its bytes, and parses the reply after its first eight bytes, and its second byte. The
     * third one: there are several replies, of which the last is parsed to undefined.
     */
    importRequestsFromTemplates(
      target: XClient,
      requests: Readonly<
        Record<string, readonly [(bytes: Buffer) => Buffer, ((reply: Buffer, detail: number) => unknown)?, true?]>
      >,
    ): void;
    InternAtom(onlyIfExists: boolean, name: string, answer: Answer<number>): void;
    GetAtomName(atom: number, answer: Answer<string>): void;
    /** `type` 0: any. Offset and length in units of 4 bytes. */
    GetProperty(
      remove: 0,
      window: number,
      name: number,
      type: number,
      offset: number,
      length: number,
      answer: Answer<{ readonly type: number; readonly format: number; readonly data: Buffer }>,
    ): void;
    GetGeometry(
      drawable: number,
      answer: Answer<{ readonly width: number; readonly height: number; readonly borderWidth: number }>,
    ): void;
    /** `mapState` 2: viewable. */
    GetWindowAttributes(window: number, answer: Answer<{ readonly mapState: number }>): void;
    TranslateCoordinates(
      from: number,
      to: number,
      x: number,
      y: number,
      answer: Answer<{ readonly destX: number; readonly destY: number }>,
    ): void;
    /** `format` 2: whole pixels. */
    GetImage(
      format: 2,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      answer: Answer<{ readonly depth: number; readonly data: Buffer }>,
    ): void;
    QueryExtension(name: string, answer: Answer<{ readonly present: number; readonly majorOpcode: number }>): void;
    AllocID(): number;
    /** `class` 1: with the pixels of its parent; 2: without pixels. */
    CreateWindow(
      window: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      borderWidth: 0,
      depth: 0,
      windowClass: 1 | 2,
      visual: 0,
      values: Readonly<Record<string, number>>,
      answer: Answer<unknown>,
    ): void;
    CreatePixmap(pixmap: number, drawable: number, depth: number, width: number, height: number): void;
    FreePixmap(pixmap: number, answer: Answer<unknown>): void;
    CreateGC(gc: number, drawable: number, values: Record<string, never>): void;
    FreeGC(gc: number): void;
    /** `format` 2: whole pixels. A request has at most 262,140 bytes. */
    PutImage(
      format: 2,
      drawable: number,
      gc: number,
      width: number,
      height: number,
      x: number,
      y: number,
      leftPad: 0,
      depth: number,
      data: Buffer,
      answer: Answer<unknown>,
    ): void;
    MapWindow(window: number, answer: Answer<unknown>): void;
    DestroyWindow(window: number, answer: Answer<unknown>): void;
    /** `time` 0: now. */
    SetSelectionOwner(window: number, selection: number, time: 0, answer: Answer<unknown>): void;
    GetSelectionOwner(selection: number, answer: Answer<number>): void;
    /** `mode` 0: replaces. Format 32 takes numbers. */
    ChangeProperty(
      mode: 0,
      window: number,
      name: number,
      type: number,
      format: 8 | 32,
      data: Buffer | readonly number[],
      answer: Answer<unknown>,
    ): void;
    /** `event` has the shape of received events. */
    SendEvent(
      window: number,
      propagate: 0,
      eventMask: number,
      event: { readonly name: string; readonly type: number; readonly seq: 0 } & Readonly<Record<string, unknown>>,
      answer: Answer<unknown>,
    ): void;
    /** One row of key symbols per keycode. */
    GetKeyboardMapping(first: number, count: number, answer: Answer<readonly (readonly number[])[]>): void;
    /** The keycodes of the eight modifiers. */
    GetModifierMapping(answer: Answer<readonly (readonly number[])[]>): void;
    /** Modes 1: asynchronous. */
    GrabKey(
      window: number,
      ownerEvents: 0,
      modifiers: number,
      keycode: number,
      pointerMode: 1,
      keyboardMode: 1,
      answer: Answer<unknown>,
    ): void;
    UngrabKey(window: number, keycode: number, modifiers: number, answer: Answer<unknown>): void;
  }

  interface ClientOptions {
    /** `:0.1`: its number selects the screen; the connection itself is `stream`. */
    readonly display: string;
    readonly stream: Duplex;
    readonly auth: { readonly name: string; readonly data: string };
    readonly disableBigRequests: true;
    readonly bufferRequests: true;
  }
  const x11: {
    createClient(options: ClientOptions, ready: (error: XError | undefined, display: XDisplay) => void): XClient;
    readonly keySyms: Readonly<Record<string, { readonly code: number }>>;
  };
  export default x11;
}
