/**
 * Reports presses of keys and mouse buttons on a whole X screen through the RECORD extension. Other programs still
 * receive their input. The X server sends only the requested kinds of presses.
 */
import type { XConnection } from '../../x11/x11-connection.ts';

export interface Press {
  readonly kind: PressKind;
  /** Number of the button, or keycode. */
  readonly code: number;
  /** State of the modifiers before it. */
  readonly modifiers: number;
  /** Where the pointer was. */
  readonly x: number;
  readonly y: number;
}

export type PressKind = keyof typeof EVENTS;

/** Codes of core events. */
const EVENTS = { key: 2, button: 4 } as const;
const KINDS = ['key', 'button'] as const;

const CREATE_CONTEXT = 1;
const ENABLE_CONTEXT = 5;
const DISABLE_CONTEXT = 6;
const ALL_CLIENTS = 3;
const REPLY = { fromServer: 0, start: 4, end: 5 } as const;
const HEADER_BYTES = 20;
const RANGE_BYTES = 24;
/** Offset of the device events in a range. */
const DEVICE_EVENTS = 18;
/** Offset of the recorded data in a reply without its first eight bytes. */
const DATA = 24;
const EVENT_BYTES = 32;

/**
 * Listens until either connection ends or `stop` is called. `data` is used for nothing else. Null: the server has no
 * RECORD.
 */
export const recordPresses = async (
  control: XConnection,
  data: XConnection,
  kinds: readonly PressKind[],
  onPress: (press: Press) => void,
): Promise<{ stop(): Promise<void> } | null> => {
  const [record, streaming] = await Promise.all([control.extension('RECORD'), data.extension('RECORD')]);
  if (record === null || streaming === null) return null;
  const context = control.display.client.AllocID();
  const name = (major: number, minor: number): Buffer => {
    const request = Buffer.from([major, minor, 2, 0, 0, 0, 0, 0]);
    request.writeUInt32LE(context, 4);
    return request;
  };
  await control.sendBytes(createContext(record, context, kinds));
  const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
  data
    .stream(name(streaming, ENABLE_CONTEXT), (category, reply) => {
      if (category === REPLY.start) start();
      if (category === REPLY.fromServer) for (const press of pressesIn(reply)) onPress(press);
      return category !== REPLY.end;
    })
    .catch(reject);
  await started;
  return { stop: () => control.sendBytes(name(record, DISABLE_CONTEXT)) };
};

const createContext = (major: number, context: number, kinds: readonly PressKind[]): Buffer => {
  const request = Buffer.alloc(HEADER_BYTES + 4 + RANGE_BYTES * kinds.length);
  request.set([major, CREATE_CONTEXT]);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(context, 4);
  request.writeUInt32LE(1, 12);
  request.writeUInt32LE(kinds.length, 16);
  request.writeUInt32LE(ALL_CLIENTS, HEADER_BYTES);
  for (const [index, kind] of kinds.entries()) {
    const at = HEADER_BYTES + 4 + RANGE_BYTES * index + DEVICE_EVENTS;
    request.fill(EVENTS[kind], at, at + 2);
  }
  return request;
};

function* pressesIn(reply: Buffer): Generator<Press> {
  for (let at = DATA; at + EVENT_BYTES <= reply.length; at += EVENT_BYTES) {
    const kind = KINDS.find((one) => EVENTS[one] === reply[at]);
    if (kind === undefined) continue;
    const [x, y] = [reply.readInt16LE(at + 20), reply.readInt16LE(at + 22)];
    yield { kind, code: reply.readUInt8(at + 1), modifiers: reply.readUInt16LE(at + 28), x, y };
  }
}
