/** Copies text to the clipboard of an X server: serves it to other programs until one of them copies something. */
import type { XEvent } from 'x11';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Clipboard } from '../ports.ts';
import { connectX, type XConnection, type XServer } from './x11-connection.ts';

const TIMEOUT_MS = 10_000;
/** A property is written in one request; the protocol allows 262,140 bytes of one. Longer text would need INCR. */
const TEXT_BYTES_MAX = 200_000;
const ATOM = 4;
const STRING = 31;
const SELECTION_NOTIFY = 31;

type SelectionRequest = Extract<XEvent, { name: 'SelectionRequest' }>;

const TEXT_TARGETS = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain'] as const;

export interface X11Clipboard extends Pick<Clipboard, 'writeText'> {
  /** The text of the last write, while no other program has copied anything since; else null. */
  owned(): string | null;
}

interface Owner {
  readonly x: XConnection;
  owned(): string | null;
  /** Rejects where another program took the clipboard at the same time. */
  own(text: string): Promise<void>;
}

/**
 * Null where it is unavailable: without an X server, or under Wayland, whose X server does not reach the clipboard of
 * other programs at all times. Errors of `writeText`: APP_FAILED.
 */
export const openX11Clipboard = async (environment: XServer['environment']): Promise<X11Clipboard | null> => {
  const { DISPLAY: display, WAYLAND_DISPLAY, XDG_SESSION_TYPE } = environment;
  if (!display || WAYLAND_DISPLAY || XDG_SESSION_TYPE === 'wayland') return null;
  const server = { display, environment };
  let owner: Owner | null = await openOwner(server).catch(() => null);
  if (owner === null) return null;
  let turn: Promise<unknown> = Promise.resolve();

  const write = async (text: string): Promise<Result<void>> => {
    if (Buffer.byteLength(text) > TEXT_BYTES_MAX)
      return err(failure('APP_FAILED', 'This text is too long to be copied in one piece.'));
    try {
      if (owner === null || owner.x.over.aborted) owner = await openOwner(server);
      await owner.own(text);
      return ok(undefined);
    } catch (error) {
      return err(failure('APP_FAILED', `The clipboard cannot be written (${(error as Error).message}).`));
    }
  };

  return {
    writeText(text) {
      const written = turn.then(() => write(text));
      turn = written;
      return written;
    },
    owned: () => owner?.owned() ?? null,
  };
};

const openOwner = async (server: XServer): Promise<Owner> => {
  const connected = await connectX(server, AbortSignal.timeout(TIMEOUT_MS));
  if (!connected.ok) throw new Error(connected.error);
  const x = connected.value;
  const atom = (name: string): Promise<number> => x.ask((client, answer) => client.InternAtom(false, name, answer));
  const [clipboard, targets] = await Promise.all(
    ['CLIPBOARD', 'TARGETS'].map(atom) as [Promise<number>, Promise<number>],
  );
  const texts = await Promise.all(TEXT_TARGETS.map(atom));
  const window = x.display.client.AllocID();
  await x.ask((client, answer) => client.CreateWindow(window, x.screen.root, 0, 0, 1, 1, 0, 0, 2, 0, {}, answer));
  let owned: string | null = null;

  /** Writes the requested form into the requesting window; resolves to whether there is such a form. */
  const supply = async ({ requestor, target }: SelectionRequest, property: number): Promise<boolean> => {
    if (owned === null) return false;
    const isLatin = /^[\0-\xff]*$/.test(owned);
    const offered = [...texts, ...(isLatin ? [STRING] : [])];
    if (target === targets) {
      const list = [targets, ...offered];
      await x.ask((client, answer) => client.ChangeProperty(0, requestor, property, ATOM, 32, list, answer));
      return true;
    }
    if (!offered.includes(target)) return false;
    const bytes = Buffer.from(owned, target === STRING ? 'latin1' : 'utf8');
    await x.ask((client, answer) => client.ChangeProperty(0, requestor, property, target, 8, bytes, answer));
    return true;
  };

  const reply = async (request: SelectionRequest): Promise<void> => {
    const { requestor, selection, target, time } = request;
    const property = request.property || target;
    const isSupplied = await supply(request, property);
    const notice = {
      name: 'SelectionNotify',
      type: SELECTION_NOTIFY,
      seq: 0,
      time,
      requestor,
      selection,
      target,
    } as const;
    await x.ask((client, answer) =>
      client.SendEvent(requestor, 0, 0, { ...notice, property: isSupplied ? property : 0 }, answer),
    );
  };

  x.onEvent((event) => {
    if (event.name === 'SelectionClear' && event.selection === clipboard) owned = null;
    // A program that has ended meanwhile no longer needs a reply.
    else if (event.name === 'SelectionRequest') reply(event).catch(() => {});
  });

  return {
    x,
    owned: () => (x.over.aborted ? null : owned),
    async own(text) {
      owned = text;
      await x.ask((client, answer) => client.SetSelectionOwner(window, clipboard, 0, answer));
      const current = await x.ask<number>((client, answer) => client.GetSelectionOwner(clipboard, answer));
      if (current !== window) throw new Error('another program has it');
    },
  };
};
