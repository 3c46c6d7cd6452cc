/**
 * Listens for global hotkeys on an X server. Key repeat is reported as one press; a hotkey that is no longer listened
 * for is free for other programs.
 */
import type { XEvent } from 'x11';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { HotkeyListener, HotkeyLoss } from '../ports.ts';
import { BAD_ACCESS, connectX, isXError, type XConnection, type XServer } from '../x11/x11-connection.ts';
import { lockBits, modifierBits, readKeyboard, SHIFT, type XKeyboard } from '../x11/x11-keyboard.ts';
import { type Accelerator, formatAccelerator, parseAccelerator } from './accelerator.ts';

const AT_ONCE = 1;
const TIMEOUT_MS = 10_000;
/** Key repeat sends a release and a press within this time on the server's clock; a user cannot be as fast. */
const REPEATED_MS = 2;
const ALL_MODIFIERS = 0xff;
const POINTER_MAPPING = 2;

type KeyEvent = Extract<XEvent, { keycode: number }>;

type Lost = (why: HotkeyLoss) => void;

interface RequestedKey {
  readonly accelerator: Accelerator;
  readonly press: () => void;
  readonly lost: Lost;
  /** Without locks. */
  keys: readonly Key[];
}

/**
 * Null where hotkeys are unavailable: without an X server, or under Wayland, whose X server sees its own windows only.
 */
export const openX11Hotkeys = async (environment: XServer['environment']): Promise<HotkeyListener | null> => {
  const { DISPLAY: display, WAYLAND_DISPLAY, XDG_SESSION_TYPE } = environment;
  if (!display || WAYLAND_DISPLAY || XDG_SESSION_TYPE === 'wayland') return null;
  const server = { display, environment };
  const first = await open(server);
  return first.ok ? createListener(server, first.value) : null;
};

const open = (server: XServer): Promise<Result<XConnection, string>> =>
  connectX(server, AbortSignal.timeout(TIMEOUT_MS)).catch(() => err('The X server does not respond.'));

const createListener = (server: XServer, first: XConnection): HotkeyListener => {
  const requestedKeys = new Set<RequestedKey>();
  /** Of refused hotkeys, which another layout may have. */
  const refused = new Set<Lost>();
  let connection: XConnection | null = null;
  let keyboard: XKeyboard | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };

  const lose = (lostKeys: readonly RequestedKey[], why: HotkeyLoss): void => {
    const losers = [...lostKeys.map(({ lost }) => lost), ...refused];
    refused.clear();
    for (const lost of losers) lost(why);
  };

  const adopt = (x: XConnection): XConnection => {
    const releasedAt = new Map<number, number>();
    connection = x;
    keyboard = null;
    onAbort(x.over, () => {
      if (connection !== x) return;
      // Its keys are released with it; the next request reconnects.
      connection = null;
      const lostKeys = [...requestedKeys];
      requestedKeys.clear();
      lose(lostKeys, 'gone');
    });
    x.onEvent((event) => {
      if (event.name === 'MappingNotify' && event.request !== POINTER_MAPPING)
        void inTurn(() => remap(x)).catch(() => {});
      else if (event.name === 'KeyPress' || event.name === 'KeyRelease') hear(event, releasedAt);
    });
    return x;
  };
  adopt(first);

  const hear = ({ name, keycode, time, buttons }: KeyEvent, releasedAt: Map<number, number>): void => {
    if (name === 'KeyRelease') {
      releasedAt.set(keycode, time);
      return;
    }
    const isRepeated = time - (releasedAt.get(keycode) ?? Number.NEGATIVE_INFINITY) <= REPEATED_MS;
    if (isRepeated || !keyboard) return;
    const modifiers = buttons & ALL_MODIFIERS & ~lockBits(keyboard);
    const isPressed = (key: Key) => key.keycode === keycode && key.modifiers === modifiers;
    for (const { keys, press } of [...requestedKeys]) if (keys.some(isPressed)) press();
  };

  /** After a change of the layout the same symbols may be on other keys, or on none. */
  const remap = async (x: XConnection): Promise<void> => {
    if (x !== connection || !keyboard) return;
    const before = keyboard;
    const now = await readKeyboard(x);
    if (isSameLayout(before, now)) return;
    for (const { keys } of requestedKeys) await ungrab(x, keys, before);
    keyboard = now;
    const lostKeys: RequestedKey[] = [];
    for (const requestedKey of [...requestedKeys]) {
      requestedKey.keys = keysOf(requestedKey.accelerator, now);
      const isGranted = requestedKey.keys.length > 0 && (await grab(x, requestedKey.keys, now).catch(() => false));
      // Where the connection has ended meanwhile, it is lost already.
      if (!isGranted && requestedKeys.delete(requestedKey)) lostKeys.push(requestedKey);
    }
    lose(lostKeys, 'keyboard');
  };

  const connect = async (): Promise<Result<XConnection, string>> => {
    if (connection) return ok(connection);
    const opened = await open(server);
    return opened.ok ? ok(adopt(opened.value)) : opened;
  };

  const ask = async (
    accelerator: Accelerator,
    { press, lost }: Pick<RequestedKey, 'press' | 'lost'>,
  ): Promise<Result<RequestedKey>> => {
    const connected = await connect();
    if (!connected.ok) return err(gone(accelerator, connected.error));
    const x = connected.value;
    keyboard ??= await readKeyboard(x);
    const keys = keysOf(accelerator, keyboard);
    const isGranted = keys.length > 0 && (await grab(x, keys, keyboard));
    if (!isGranted) {
      refused.add(lost);
      return err(keys.length === 0 ? noSuchKey(accelerator) : taken(accelerator));
    }
    const requestedKey: RequestedKey = { accelerator, press, lost, keys };
    requestedKeys.add(requestedKey);
    return ok(requestedKey);
  };

  const release = async (requestedKey: RequestedKey): Promise<void> => {
    if (!requestedKeys.delete(requestedKey) || !connection || !keyboard) return;
    await ungrab(connection, requestedKey.keys, keyboard);
    if (requestedKeys.size === 0 && refused.size === 0) await connection.close();
  };

  return {
    way: 'x11',
    async listen(text, press, lost = () => {}) {
      const accelerator = parseAccelerator(text, 'linux');
      if (!accelerator.ok) return accelerator;
      const granted = await inTurn(() => ask(accelerator.value, { press, lost })).catch((error: Error) =>
        err(gone(accelerator.value, `The X server has ended (${error.message}).`)),
      );
      if (!granted.ok) return granted;
      return ok(() => void inTurn(() => release(granted.value)).catch(() => {}));
    },
  };
};

const isSameLayout = (one: XKeyboard, other: XKeyboard): boolean =>
  JSON.stringify([one.symbols, one.modifiers]) === JSON.stringify([other.symbols, other.modifiers]);

/**
 * Grabs each key also with every combination of locks, since a lock is a modifier to X. False: another program has one
 * of them; then all are released.
 */
const grab = async (x: XConnection, keys: readonly Key[], keyboard: XKeyboard): Promise<boolean> => {
  const granted = await Promise.all(
    withLocks(keys, keyboard).map(({ keycode, modifiers }) =>
      x
        .ask((client, answer) => client.GrabKey(x.screen.root, 0, modifiers, keycode, AT_ONCE, AT_ONCE, answer))
        .then(
          () => true,
          (error) => {
            if (isXError(error) && error.error === BAD_ACCESS) return false;
            throw error;
          },
        ),
    ),
  );
  if (granted.every((isGranted) => isGranted)) return true;
  await ungrab(x, keys, keyboard);
  return false;
};

const ungrab = async (x: XConnection, keys: readonly Key[], keyboard: XKeyboard): Promise<void> => {
  await Promise.all(
    withLocks(keys, keyboard).map(({ keycode, modifiers }) =>
      x.ask((client, answer) => client.UngrabKey(x.screen.root, keycode, modifiers, answer)),
    ),
  );
};

const withLocks = (keys: readonly Key[], keyboard: XKeyboard): readonly Key[] => {
  const locks = sumsOf(lockBits(keyboard));
  return keys.flatMap(({ keycode, modifiers }) => locks.map((lock) => ({ keycode, modifiers: modifiers | lock })));
};

const taken = (accelerator: Accelerator): Failure => {
  const hotkey = formatAccelerator(accelerator);
  return failure(
    'HOTKEY_TAKEN',
    `The hotkey ${hotkey} cannot be used. Another program is using it. Choose another one, or close that program.`,
    { params: { hotkey } },
  );
};

const gone = (accelerator: Accelerator, detail: string): Failure => {
  const hotkey = formatAccelerator(accelerator);
  return failure('HOTKEY_TAKEN', `The hotkey ${hotkey} cannot be used. ${detail}`, { params: { hotkey, why: 'gone' } });
};

const noSuchKey = (accelerator: Accelerator): Failure => {
  const hotkey = formatAccelerator(accelerator);
  return failure('HOTKEY_INVALID', `This keyboard has no key for ${hotkey}. Choose another hotkey.`, {
    params: { hotkey },
  });
};

// Maps a hotkey to keys of an X keyboard; pure.

interface Key {
  readonly keycode: number;
  readonly modifiers: number;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ Capslock: 'XK_Caps_Lock', Numlock: 'XK_Num_Lock', Scrolllock: 'XK_Scroll_Lock', Backspace: 'XK_BackSpace' },
  ...{ PageUp: 'XK_Page_Up', PageDown: 'XK_Page_Down', PrintScreen: 'XK_Print' },
  ...{ numdec: 'XK_KP_Decimal', numadd: 'XK_KP_Add', numsub: 'XK_KP_Subtract' },
  ...{ nummult: 'XK_KP_Multiply', numdiv: 'XK_KP_Divide' },
};
/** Symbols of the extra keys (XF86). */
const MEDIA: Readonly<Record<string, number>> = {
  ...{ VolumeDown: 0x1008ff11, VolumeMute: 0x1008ff12, VolumeUp: 0x1008ff13, MediaPlayPause: 0x1008ff14 },
  ...{ MediaStop: 0x1008ff15, MediaPreviousTrack: 0x1008ff16, MediaNextTrack: 0x1008ff17 },
};

const symbolOf = (key: string, names: XKeyboard['names']): number | undefined => {
  if (key === 'Plus') return 0x2b;
  if (key === 'Space') return 0x20;
  // ASCII characters are their own symbols, letters in lower case.
  if (key.length === 1) return key.toLowerCase().charCodeAt(0);
  const name = SYMBOLS[key] ?? (key.startsWith('num') ? `XK_KP_${key.slice(3)}` : `XK_${key}`);
  return MEDIA[key] ?? names[name]?.code;
};

/** All combinations of these bits, including 0. */
const sumsOf = (bits: number): readonly number[] => {
  const sums: number[] = [];
  for (let sum = bits; sum > 0; sum = (sum - 1) & bits) sums.push(sum);
  return [...sums, 0];
};

/** Of an English keyboard on Linux, by keycode. */
const ENGLISH_KEYS = '1234567890    QWERTYUIOP    ASDFGHJKL     ZXCVBNM';
const ENGLISH_FIRST_KEYCODE = 10;

/**
 * The keys that produce this, in any layout; for a letter or digit that no layout has, such as a Latin letter where all
 * are Cyrillic, the key of an English keyboard. Empty: this keyboard has no such key.
 */
const keysOf = ({ key, modifiers }: Accelerator, keyboard: XKeyboard): readonly Key[] => {
  const symbol = symbolOf(key, keyboard.names);
  const bits = modifiers.reduce((sum, modifier) => sum | modifierBits(keyboard, modifier), 0);
  const keys = keyboard.symbols.flatMap((row, index) => {
    const column = symbol === undefined ? -1 : row.indexOf(symbol);
    if (column < 0) return [];
    // A symbol of the upper row needs Shift.
    return [{ keycode: keyboard.firstKeycode + index, modifiers: column % 2 === 1 ? bits | SHIFT : bits }];
  });
  const index = ENGLISH_KEYS.indexOf(key);
  return keys.length > 0 || index < 0 ? keys : [{ keycode: ENGLISH_FIRST_KEYCODE + index, modifiers: bits }];
};
