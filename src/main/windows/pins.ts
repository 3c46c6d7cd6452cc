/**
 * Pinned images: each in a window of its own, above other windows but below the overlay and the panels. The images are
 * kept in memory only; closing a window forgets its image.
 */
import { randomUUID } from 'node:crypto';
import { type BrowserWindow, Menu, nativeImage, type Point, type Rectangle, type Screen, type Size } from 'electron';
import { err, type Failure, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { Clipboard, PinImage } from '../../engine/ports.ts';
import type { Pins as HostPins } from '../../ipc/host/handlers/handler-types.ts';
import type { AppEvent } from '../../ipc/protocol/command-table.ts';
import { clipboardImageName } from '../../ipc/protocol/file-name-timestamp.ts';
import { OPACITY, type PinChange, type PinId, type PinnedImage } from '../../ipc/protocol/pinned-image.ts';
import { DESKTOP_CHANNELS } from '../../ipc/protocol/preload-api.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import { pageAddress } from '../page-urls.ts';
import { displayUnder, type KnownDisplay, logicalArea } from './display-coordinates.ts';
import { createFloatingWindow } from './floating-window.ts';
import { keepReachable, placeInMiddle, resizeAround, sizeAt, zoomToFit } from './pin-layout.ts';

export interface PinsDeps {
  readonly displays: () => readonly KnownDisplay[];
  readonly screen: Pick<Screen, 'getCursorScreenPoint' | 'getDisplayNearestPoint' | 'getDisplayMatching'>;
  readonly clipboard: Required<Pick<Clipboard, 'readPicture' | 'writePicture'>>;
  readonly messages: () => DesktopTexts;
  readonly now: () => number;
  /** Publishes a copy. */
  readonly share: (png: Uint8Array, name: string) => Promise<Result<unknown>>;
  /** An action of the menu has failed. */
  readonly onFailure: (why: Failure) => void;
}

/** What the menu of the tray shows. */
export interface PinsShown {
  readonly count: number;
  /** Whether clicks go through some of them. */
  readonly areLetThrough: boolean;
}

export interface Pins extends HostPins {
  readonly add: PinImage;
  /** Null: it was closed. */
  png(id: PinId): Uint8Array | null;
  shown(): PinsShown;
  onChange(listener: () => void): void;
  /** All of them get clicks again. */
  takeClicks(): void;
  send(event: AppEvent): void;
  close(): void;
}

interface Pin {
  state: PinnedImage;
  readonly png: Uint8Array;
  readonly window: BrowserWindow;
  isLetThrough: boolean;
}

const HALF = 0.5;
const UNREADABLE = err(failure('APP_FAILED', 'The image could not be decoded, so it was not pinned.'));
const NO_IMAGE = err(failure('CLIPBOARD_NO_IMAGE', 'There is no image on the clipboard.'));

export const createPins = (deps: PinsDeps): Pins => {
  const { displays, screen, clipboard, messages } = deps;
  const pins = new Map<PinId, Pin>();
  let onChange = (): void => {};

  const open = (id: PinId, bounds: Rectangle, name: string): BrowserWindow => {
    const window = createFloatingWindow(
      { ...bounds, transparent: true, title: name },
      { level: 'floating', painting: 'when-shown' },
    );
    window.on('closed', () => {
      pins.delete(id);
      onChange();
    });
    window.webContents.on('render-process-gone', () => window.destroy());
    // It appears with its image. The focus is for its keys.
    window.once('ready-to-show', () => window.show());
    void window.loadURL(pageAddress('pin', id));
    return window;
  };

  const firstPlace = (image: Size, area: Parameters<PinImage>[0]['area']): { zoom: number; bounds: Rectangle } => {
    const under = area && displayUnder(area, displays());
    // Exactly over its own pixels.
    if (area && under && area.width === image.width && area.height === image.height)
      return { zoom: 1, bounds: logicalArea(area, under) };
    const { workArea, scaleFactor } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    const zoom = zoomToFit(image, workArea, scaleFactor);
    return { zoom, bounds: placeInMiddle(workArea, sizeAt(image, zoom, scaleFactor), pins.size) };
  };

  const add: PinImage = async ({ png, name, area }) => {
    const image = nativeImage.createFromBuffer(Buffer.from(png)).getSize();
    if (image.width < 1 || image.height < 1) return UNREADABLE;
    const id = randomUUID();
    const { zoom, bounds } = firstPlace(image, area);
    const state = { id, name, ...image, zoom, opacity: 1 };
    pins.set(id, { state, png, window: open(id, bounds, name), isLetThrough: false });
    onChange();
    return ok(undefined);
  };

  const place = ({ window }: Pin, bounds: Rectangle): void =>
    window.setBounds(keepReachable(bounds, screen.getDisplayMatching(bounds).workArea));

  const zoomTo = (pin: Pin, zoom: number, at: Point): void => {
    const before = pin.window.getBounds();
    const { scaleFactor } = screen.getDisplayMatching(before);
    place(pin, resizeAround(before, sizeAt(pin.state, zoom, scaleFactor), at));
  };

  const middleOf = ({ window }: Pin): Point => {
    const { width, height } = window.getBounds();
    return { x: width / 2, y: height / 2 };
  };

  const change = (id: PinId, wanted: PinChange): void => {
    const pin = pins.get(id);
    if (!pin) return;
    switch (wanted.kind) {
      case 'zoom':
        pin.state = { ...pin.state, zoom: wanted.zoom };
        zoomTo(pin, wanted.zoom, wanted);
        break;
      case 'opacity':
        pin.state = { ...pin.state, opacity: wanted.opacity };
        break;
      case 'move': {
        const { x, y, ...size } = pin.window.getBounds();
        place(pin, { ...size, x: Math.round(x + wanted.x), y: Math.round(y + wanted.y) });
        return;
      }
      default:
        unreachable(wanted);
    }
    pin.window.webContents.send(DESKTOP_CHANNELS.event, { type: 'pin', pin: pin.state } satisfies AppEvent);
  };

  const letThrough = (pin: Pin, isLetThrough: boolean): void => {
    pin.isLetThrough = isLetThrough;
    pin.window.setIgnoreMouseEvents(isLetThrough);
    if (isLetThrough) pin.window.blur();
    onChange();
  };

  const openMenu = (pin: Pin): void => {
    const words = messages().pin;
    const { id } = pin.state;
    const item = (label: string, click: () => void) => ({ label, click });
    const run = async (action: 'copy' | 'share'): Promise<void> => {
      const done = await act(id, action);
      if (!done.ok) deps.onFailure(done.error);
    };
    const fade = (opacity: number) => change(id, { kind: 'opacity', opacity });
    Menu.buildFromTemplate([
      item(words.copy, () => void run('copy')),
      item(words.share, () => void run('share')),
      { type: 'separator' },
      item(words.actualSize, () => change(id, { kind: 'zoom', zoom: 1, ...middleOf(pin) })),
      pin.state.opacity === OPACITY.most
        ? item(words.translucent, () => fade(HALF))
        : item(words.opaque, () => fade(OPACITY.most)),
      item(words.letThrough, () => letThrough(pin, true)),
      { type: 'separator' },
      item(words.close, () => pin.window.close()),
    ]).popup({ window: pin.window });
  };

  const act: Pins['act'] = async (id, action) => {
    const pin = pins.get(id);
    if (!pin) return ok(undefined);
    switch (action) {
      case 'copy':
        return clipboard.writePicture(pin.png);
      case 'share':
        return deps.share(pin.png, pin.state.name);
      case 'letThrough':
        return ok(letThrough(pin, true));
      case 'menu':
        return ok(openMenu(pin));
      case 'close':
        return ok(pin.window.close());
      default:
        return unreachable(action);
    }
  };

  return {
    add,
    async addClipboard() {
      const picture = await clipboard.readPicture();
      if (!picture.ok) return picture;
      if (picture.value === null) return NO_IMAGE;
      return add({ png: picture.value, name: clipboardImageName(new Date(deps.now())), area: null });
    },
    read: (id) => pins.get(id)?.state ?? null,
    png: (id) => pins.get(id)?.png ?? null,
    change,
    act,
    shown: () => ({ count: pins.size, areLetThrough: [...pins.values()].some(({ isLetThrough }) => isLetThrough) }),
    onChange(listener) {
      onChange = listener;
    },
    takeClicks() {
      for (const pin of pins.values()) if (pin.isLetThrough) letThrough(pin, false);
    },
    send(event) {
      for (const { window } of pins.values()) window.webContents.send(DESKTOP_CHANNELS.event, event);
    },
    close() {
      for (const { window } of pins.values()) window.destroy();
    },
  };
};
