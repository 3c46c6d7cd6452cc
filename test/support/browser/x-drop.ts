/** Drags files from another program onto a window of a virtual screen: a source of XDND 5, as a file manager is one. */
import { pathToFileURL } from 'node:url';
import { connectX } from '../../../src/engine/x11/x11-connection.ts';
import type { XScreen } from '../screen/x-screen.ts';

interface ClientMessage {
  readonly name: string;
  readonly message_type: number;
  readonly data: readonly number[];
}
interface SelectionRequest {
  readonly name: string;
  readonly time: number;
  readonly requestor: number;
  readonly selection: number;
  readonly target: number;
  readonly property: number;
}
type Reply<T> = (error: Error | null, value: T) => void;

/** The requests of the library that only a source of drags needs. */
interface Source {
  AllocID(): number;
  CreateWindow(id: number, parent: number, x: number, y: number, width: number, height: number): void;
  SetSelectionOwner(window: number, selection: number): void;
  ChangeProperty(mode: 0, window: number, name: number, type: number, format: 8 | 32, data: Buffer | number[]): void;
  SendEvent(window: number, propagate: 0, mask: 0, event: object): void;
  SendClientMessage(to: number, about: number, type: number, format: 32, data: readonly number[], mask: 0): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  QueryTree(window: number, reply: Reply<{ readonly children: readonly number[] }>): void;
  TranslateCoordinates(
    from: number,
    to: number,
    x: number,
    y: number,
    reply: Reply<{ readonly child: number; readonly destX: number; readonly destY: number }>,
  ): void;
  GetProperty(
    remove: 0,
    window: number,
    name: number,
    type: number,
    offset: number,
    length: number,
    reply: Reply<{ readonly data: Buffer }>,
  ): void;
}

const VERSION = 5;
const ATOM = 4;
const ACCEPTED = 1;
const DROP_MS = 60_000;
const MOVE_MS = 50;
/** A page decides about the drop while the pointer moves over it. */
const MOVES = 8;

/** Drops files at a point of the screen, and resolves when the program below has taken them. */
export const dropOnScreen = async (
  { display, environment }: Pick<XScreen, 'display' | 'environment'>,
  { x, y }: { readonly x: number; readonly y: number },
  paths: readonly string[],
): Promise<void> => {
  const limit = AbortSignal.timeout(DROP_MS);
  const connected = await connectX({ display, environment }, limit);
  if (!connected.ok) throw new Error(connected.error);
  const connection = connected.value;
  const client = connection.display.client as unknown as Source;
  const { root } = connection.screen;
  const ask = <T>(send: (reply: Reply<T>) => void): Promise<T> =>
    new Promise((resolve, reject) => send((error, value) => (error ? reject(error) : resolve(value))));
  const atom = (name: string): Promise<number> => ask((reply) => client.InternAtom(false, name, reply));
  const [selection, aware, enter, position, status, drop, finished, copy, list] = (await Promise.all(
    [
      ...['XdndSelection', 'XdndAware', 'XdndEnter', 'XdndPosition', 'XdndStatus', 'XdndDrop', 'XdndFinished'],
      ...['XdndActionCopy', 'text/uri-list'],
    ].map(atom),
  )) as [number, number, number, number, number, number, number, number, number];

  /** The innermost window at the point that takes drops, below the frames of a window manager. */
  const windowThere = async (): Promise<number> => {
    let window = root;
    for (;;) {
      const { data } = await ask<{ data: Buffer }>((reply) => client.GetProperty(0, window, aware, 0, 0, 1, reply));
      if (data.length > 0) return window;
      const { child } = await ask<{ child: number }>((reply) => client.TranslateCoordinates(root, window, x, y, reply));
      if (child === 0) throw new Error('Nothing there takes drops.');
      window = child;
    }
  };

  try {
    const target = await windowThere();
    const source = client.AllocID();
    client.CreateWindow(source, root, 0, 0, 1, 1);
    client.SetSelectionOwner(source, selection);
    const bytes = Buffer.from(paths.map((path) => `${pathToFileURL(path).href}\r\n`).join(''));
    const send = (type: number, ...data: readonly number[]): void =>
      client.SendClientMessage(target, target, type, 32, [source, ...data, 0, 0, 0, 0].slice(0, 5), 0);
    let at = x;
    const move = (): void => {
      at += 1;
      send(position, 0, ((at << 16) | y) >>> 0, 0, copy);
    };

    await new Promise<void>((resolve, reject) => {
      let isDropped = false;
      let moves = 0;
      const moving = setInterval(() => !isDropped && move(), MOVE_MS);
      limit.addEventListener('abort', () => reject(new Error('The window did not take the files.')));
      connection.onEvent((event: unknown) => {
        const { name } = event as { name: string };
        if (name === 'SelectionRequest') {
          const { requestor, target: type, property, time } = event as SelectionRequest;
          if (type === list) client.ChangeProperty(0, requestor, property, list, 8, bytes);
          const notice = { name: 'SelectionNotify', type: 31, seq: 0, time, requestor, selection, target: type };
          client.SendEvent(requestor, 0, 0, { ...notice, property: type === list ? property : 0 });
        } else if (name === 'ClientMessage') {
          const { message_type: type, data } = event as ClientMessage;
          if (type === status && ((data[1] ?? 0) & ACCEPTED) !== 0 && !isDropped) {
            moves += 1;
            isDropped = moves >= MOVES;
            if (isDropped) send(drop, 0, 0);
          }
          if (type !== finished) return;
          clearInterval(moving);
          resolve();
        }
      });
      client.ChangeProperty(0, source, aware, ATOM, 32, [VERSION]);
      send(enter, VERSION << 24, list);
      move();
    });
  } finally {
    await connection.close();
  }
};
