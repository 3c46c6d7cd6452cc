/**
 * Queries a Wayland compositor for its supported protocols and its outputs (monitors). Speaks the wire protocol over
 * the compositor's socket, so it needs no installed program. Used for every compositor except KWin (`kwin-outputs.ts`).
 */
import { connect, type Socket } from 'node:net';
import { err, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { Area } from '../../ipc/protocol/capture.ts';
import { type Environment, waylandSocket } from './session-environment.ts';

/** One monitor. */
export interface Output {
  /** Such as `DP-1`. */
  readonly name: string;
  /** In the coordinates of the compositor, which all of its outputs share. */
  readonly logical: Area;
  /** Physical pixels as the user sees them, after rotation. */
  readonly width: number;
  readonly height: number;
  /** Physical pixels per logical one. */
  readonly scale: number;
}

export interface Compositor {
  /** Names of the protocols, such as `zwlr_screencopy_manager_v1`. */
  readonly protocols: ReadonlySet<string>;
  /** At least one, in the order of the compositor. */
  readonly outputs: readonly Output[];
}

const TIMEOUT_MS = 10_000;

/** Errors are sentences; rejects with the signal's reason. */
export const askCompositor = async (
  environment: Environment,
  signal: AbortSignal,
): Promise<Result<Compositor, string>> => {
  const path = waylandSocket(environment);
  if (path === null) return err('XDG_RUNTIME_DIR is not set, so the Wayland desktop cannot be found.');
  signal.throwIfAborted();
  const socket = connect(path);
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const unfollow = onAbort(either, () => socket.destroy());
  try {
    const compositor = await conversation(socket);
    return compositor.outputs.length > 0 ? ok(compositor) : err('The Wayland desktop has no screen at the moment.');
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    return err(`The Wayland desktop at ${path} does not answer (${code ?? message}). Run it inside a desktop session.`);
  } finally {
    unfollow();
    socket.destroy();
  }
};

// The wire protocol: 32-bit words in the byte order of the machine, which is little-endian wherever Node runs a
// desktop.

const HEADER_BYTES = 8;

/** The arguments of one event, read in their order. */
class Arguments {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  int(): number {
    this.#at += 4;
    return this.#bytes.readInt32LE(this.#at - 4);
  }
  uint(): number {
    return this.int() >>> 0;
  }
  string(): string {
    const length = this.uint();
    const start = this.#at;
    this.#at += Math.ceil(length / 4) * 4;
    return this.#bytes.toString('utf8', start, start + length - 1);
  }
}

const uint = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const string = (text: string): Buffer => {
  const length = Buffer.byteLength(text) + 1;
  const bytes = Buffer.alloc(4 + Math.ceil(length / 4) * 4);
  bytes.writeUInt32LE(length);
  bytes.write(text, 4);
  return bytes;
};

type Listener = (event: number, values: Arguments) => void;

/** Sends requests and hands each event to the listener of its object. */
const openWire = (socket: Socket) => {
  const listeners = new Map<number, Listener>();
  let lastId = 1;
  let received = Buffer.alloc(0);
  const failed = new Promise<never>((_, reject) => {
    const hear = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_BYTES) {
        const size = received.readUInt32LE(4) >>> 16;
        if (size < HEADER_BYTES) throw new Error('it speaks no Wayland');
        if (received.length < size) return;
        const event = received.readUInt32LE(4) & 0xffff;
        const values = new Arguments(received.subarray(HEADER_BYTES, size));
        const listener = listeners.get(received.readUInt32LE(0));
        received = received.subarray(size);
        listener?.(event, values);
      }
    };
    socket.on('data', (chunk: Buffer) => {
      try {
        hear(chunk);
      } catch (error) {
        reject(error);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('it closed the connection')));
  });
  failed.catch(() => {});
  const send = (object: number, request: number, ...values: readonly Buffer[]): void => {
    const body = Buffer.concat(values);
    socket.write(Buffer.concat([uint(object), uint(((HEADER_BYTES + body.length) << 16) | request), body]));
  };
  const create = (listener: Listener): number => {
    lastId += 1;
    listeners.set(lastId, listener);
    return lastId;
  };
  return { send, create, listeners, failed };
};

const DISPLAY = 1;
const DISPLAY_REQUESTS = { sync: 0, getRegistry: 1 } as const;
const DISPLAY_ERROR = 0;
const REGISTRY_BIND = 0;
const REGISTRY_GLOBAL = 0;
const OUTPUT_EVENTS = { geometry: 0, mode: 1, scale: 3, name: 4 } as const;
/** From this version on outputs have names. */
const OUTPUT_VERSION = 4;
const XDG_OUTPUT_MANAGER = 'zxdg_output_manager_v1';
const GET_XDG_OUTPUT = 1;
const XDG_OUTPUT_EVENTS = { logicalPosition: 0, logicalSize: 1, name: 3 } as const;
const XDG_OUTPUT_VERSION = 3;
const IS_CURRENT_MODE = 1;

interface Global {
  readonly number: number;
  readonly protocol: string;
  readonly version: number;
}

interface ReportedOutput {
  name: string;
  position: { x: number; y: number };
  mode: { width: number; height: number };
  transform: number;
  scale: number;
  logicalSize: { width: number; height: number } | null;
}

const conversation = async (socket: Socket): Promise<Compositor> => {
  const { send, create, listeners, failed } = openWire(socket);
  const protocolError = new Promise<never>((_, reject) => {
    listeners.set(DISPLAY, (event, values) => {
      if (event !== DISPLAY_ERROR) return;
      values.uint();
      values.uint();
      reject(new Error(values.string()));
    });
  });
  protocolError.catch(() => {});
  /** Resolves when the compositor has answered everything that was sent before. */
  const answered = (): Promise<void> =>
    Promise.race([
      new Promise<void>((resolve) => send(DISPLAY, DISPLAY_REQUESTS.sync, uint(create(() => resolve())))),
      failed,
      protocolError,
    ]);

  const globals: Global[] = [];
  const registry = create((event, values) => {
    if (event === REGISTRY_GLOBAL)
      globals.push({ number: values.uint(), protocol: values.string(), version: values.uint() });
  });
  const bind = ({ number, protocol, version }: Global, newest: number, listener: Listener): number => {
    const id = create(listener);
    send(registry, REGISTRY_BIND, uint(number), string(protocol), uint(Math.min(version, newest)), uint(id));
    return id;
  };
  send(DISPLAY, DISPLAY_REQUESTS.getRegistry, uint(registry));
  await answered();

  const managerGlobal = globals.find(({ protocol }) => protocol === XDG_OUTPUT_MANAGER);
  const manager = managerGlobal && bind(managerGlobal, XDG_OUTPUT_VERSION, () => {});
  const reported = globals
    .filter(({ protocol }) => protocol === 'wl_output')
    .map((global, index) => {
      const output = unreported(`Screen ${index + 1}`);
      const id = bind(global, OUTPUT_VERSION, (event, values) => hearOutput(output, event, values));
      if (manager !== undefined)
        send(manager, GET_XDG_OUTPUT, uint(create((event, values) => hearXdgOutput(output, event, values))), uint(id));
      return output;
    });
  await answered();
  return {
    protocols: new Set(globals.map(({ protocol }) => protocol)),
    outputs: reported.filter(({ mode }) => mode.width > 0).map(outputOf),
  };
};

const unreported = (name: string): ReportedOutput => ({
  name,
  position: { x: 0, y: 0 },
  mode: { width: 0, height: 0 },
  transform: 0,
  scale: 1,
  logicalSize: null,
});

const hearOutput = (output: ReportedOutput, event: number, values: Arguments): void => {
  if (event === OUTPUT_EVENTS.geometry) {
    output.position = { x: values.int(), y: values.int() };
    // Millimetres and the arrangement of subpixels.
    for (let skipped = 0; skipped < 3; skipped++) values.int();
    values.string();
    values.string();
    output.transform = values.int();
  } else if (event === OUTPUT_EVENTS.mode) {
    if (values.uint() & IS_CURRENT_MODE) output.mode = { width: values.int(), height: values.int() };
  } else if (event === OUTPUT_EVENTS.scale) output.scale = values.int();
  else if (event === OUTPUT_EVENTS.name) output.name = values.string();
};

const hearXdgOutput = (output: ReportedOutput, event: number, values: Arguments): void => {
  if (event === XDG_OUTPUT_EVENTS.logicalPosition) output.position = { x: values.int(), y: values.int() };
  else if (event === XDG_OUTPUT_EVENTS.logicalSize) output.logicalSize = { width: values.int(), height: values.int() };
  else if (event === XDG_OUTPUT_EVENTS.name) output.name = values.string();
};

const outputOf = ({ name, position, mode, transform, scale, logicalSize }: ReportedOutput): Output => {
  // Odd transforms are turned by 90 or 270 degrees.
  const isTurned = transform % 2 === 1;
  const [width, height] = isTurned ? [mode.height, mode.width] : [mode.width, mode.height];
  // The scale of wl_output is rounded up to an integer; the logical size is exact.
  const logical = logicalSize ?? { width: Math.round(width / scale), height: Math.round(height / scale) };
  return { name, logical: { ...position, ...logical }, width, height, scale: width / logical.width };
};
