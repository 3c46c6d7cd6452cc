/**
 * Listens to presses on a whole X screen (RECORD), whichever program gets them. It takes nothing from the other
 * programs, and receives only the requested kinds.
 */
import type { XConnection } from '../../x11/x11-connection.ts';

export interface Press {
  /** Number of the button. */
  readonly code: number;
  /** Where the pointer was. */
  readonly x: number;
  readonly y: number;
}

const CREATE_CONTEXT = 1;
const ENABLE_CONTEXT = 5;
const DISABLE_CONTEXT = 6;
const ALL_CLIENTS = 3;
const REPLY = { fromServer: 0, start: 4, end: 5 } as const;
const BUTTON_PRESS = 4;
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
  await control.sendBytes(createContext(record, context));
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

const createContext = (major: number, context: number): Buffer => {
  const request = Buffer.alloc(HEADER_BYTES + 4 + RANGE_BYTES);
  request.set([major, CREATE_CONTEXT]);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(context, 4);
  request.writeUInt32LE(1, 12);
  request.writeUInt32LE(1, 16);
  request.writeUInt32LE(ALL_CLIENTS, HEADER_BYTES);
  request.fill(BUTTON_PRESS, HEADER_BYTES + 4 + DEVICE_EVENTS, HEADER_BYTES + 4 + DEVICE_EVENTS + 2);
  return request;
};

function* pressesIn(reply: Buffer): Generator<Press> {
  for (let at = DATA; at + EVENT_BYTES <= reply.length; at += EVENT_BYTES)
    if (reply[at] === BUTTON_PRESS)
      yield { code: reply.readUInt8(at + 1), x: reply.readInt16LE(at + 20), y: reply.readInt16LE(at + 22) };
}
