/**
 * Registers the global hotkeys on a Wayland desktop through its GlobalShortcuts portal. The desktop decides which
 * keys it assigns and reports them as display text. The user can change the keys in the desktop's settings.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { DesktopHotkeys, DesktopHotkeysEvents, WantedHotkey } from '../ports.ts';
import { askPortal, closePortalSession, type PortalRefusal, portalVersion } from '../wayland/desktop-portal.ts';
import { isKWin } from '../wayland/kwin-outputs.ts';
import { openSessionBus, type SessionBus } from '../wayland/session-bus.ts';
import { desktopName, type Environment, isWaylandSession } from '../wayland/session-environment.ts';
import { type Modifier, parseAccelerator } from './accelerator.ts';
import {
  forgetInKde,
  isOfEarlierStart,
  isRefusedByKde,
  type KdeShortcut,
  kdeShortcutsOn,
  SESSION_TOKEN,
} from './kde-shortcuts.ts';
import { keysymName } from './keysym-names.ts';

const PORTAL = 'org.freedesktop.portal.GlobalShortcuts';
const TIMEOUT_MS = 10_000;
/** The desktop may show the user a dialog. */
const ANSWER_MS = 120_000;

/** What the desktop's own settings call them. */
const TITLES: Readonly<Record<HotkeyAction, string>> = {
  region: 'Capture a region',
  window: 'Capture a window',
  screen: 'Capture a screen',
  all: 'Capture all screens',
  last: 'Capture the last region again',
  record: 'Start or stop recording',
};

/** Null: not a Wayland session, or its desktop has no such portal. */
export const openPortalHotkeys = async (environment: Environment): Promise<DesktopHotkeys | null> => {
  if (!isWaylandSession(environment)) return null;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const bus = await openSessionBus(environment, signal).catch(() => null);
  if (bus === null) return null;
  const version = await portalVersion(bus, 'GlobalShortcuts', signal).catch(() => null);
  await bus.close();
  return version === null ? null : createPortalHotkeys(environment);
};

interface OpenSession {
  readonly bus: SessionBus;
  readonly path: string;
}

const createPortalHotkeys = (environment: Environment): DesktopHotkeys => {
  const closing = new AbortController();
  let session: OpenSession | null = null;
  let before: readonly WantedHotkey[] = [];

  const open = async (
    wanted: readonly WantedHotkey[],
    events: DesktopHotkeysEvents,
    isUnbound: (known: KdeShortcut) => boolean,
  ): Promise<Result<ReadonlyMap<HotkeyAction, string>, PortalRefusal>> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_MS)]);
    const bus = await openSessionBus(environment, signal);
    if (bus === null) return err({ why: 'missing', detail: 'the session bus does not answer' });
    try {
      const bound = await bindOn(bus, wanted, signal);
      if (!bound.ok) {
        await bus.close();
        return bound;
      }
      const { path, keys } = bound.value;
      const opened = { bus, path };
      session = opened;
      await hear(opened, events, signal);
      if (!isKWin(environment)) return ok(keys);
      const unbound = (await kdeShortcutsOn(bus, signal)).filter(isUnbound);
      return ok(new Map([...keys].map(([one, words]) => [one, unbound.some(({ name }) => name === one) ? '' : words])));
    } catch (error) {
      await bus.close();
      if (closing.signal.aborted) throw error;
      return err({ why: 'gone', detail: 'it did not answer in time' });
    }
  };

  const hear = async (opened: OpenSession, events: DesktopHotkeysEvents, listening: AbortSignal): Promise<void> => {
    const { bus, path } = opened;
    const isCurrent = (): boolean => session === opened && !closing.signal.aborted;
    const lose = (): void => {
      if (!isCurrent()) return;
      session = null;
      void bus.close();
      events.lost();
    };
    const listen = (rule: string, onSignal: Parameters<SessionBus['listen']>[1]): Promise<void> =>
      bus.listen(`type='signal',${rule}`, onSignal, listening);
    await listen(`interface='${PORTAL}'`, ({ interface: from, member, body }) => {
      if (from !== PORTAL || body[0] !== path || !isCurrent()) return;
      if (member === 'Activated') events.press(body[1] as HotkeyAction);
      else if (member === 'ShortcutsChanged') events.changed(keysOf(body[1]));
    });
    await listen(`interface='org.freedesktop.portal.Session',member='Closed',path='${path}'`, (heard) => {
      if (heard.member === 'Closed' && heard.path === path) lose();
    });
    // The portal itself, or the part of it that belongs to this desktop.
    for (const rule of ["arg0='org.freedesktop.portal.Desktop'", "arg0namespace='org.freedesktop.impl.portal.desktop'"])
      await listen(`interface='org.freedesktop.DBus',member='NameOwnerChanged',${rule}`, ({ member, body }) => {
        const [name, before] = body;
        if (member === 'NameOwnerChanged' && before !== '' && /^org\.freedesktop\.(impl\.)?portal\./.test(`${name}`))
          lose();
      });
    onAbort(bus.over, lose);
  };

  /** Before the next one begins: KDE turns off the keys of the one that ends, and both have the same names. */
  const end = async (forgotten: readonly HotkeyAction[]): Promise<void> => {
    const ended = session;
    session = null;
    if (!ended) return;
    await closePortalSession(ended.bus, ended.path);
    if (isKWin(environment)) await forgetInKde(ended.bus, forgotten);
    await ended.bus.close();
  };

  return {
    way: 'portal',
    async bind(wanted, events) {
      const kept = new Set(wanted.map(({ action, accelerator }) => `${action} ${accelerator}`));
      await end(before.flatMap(({ action, accelerator }) => (kept.has(`${action} ${accelerator}`) ? [] : [action])));
      before = wanted;
      if (wanted.length === 0) return ok(new Map());
      let opened = await open(wanted, events, (known) => isRefusedByKde(known) || isOfEarlierStart(known, wanted));
      const refused = opened.ok ? [...opened.value].flatMap(([action, keys]) => (keys === '' ? [action] : [])) : [];
      if (isKWin(environment) && refused.length > 0) {
        // Perhaps KDE refused other keys, at an earlier start, or still has those: such a name begins again.
        await end(refused);
        opened = await open(wanted, events, isRefusedByKde);
      }
      return opened.ok ? opened : err(refusal(opened.error, environment));
    },
    async close() {
      closing.abort();
      if (session) await closePortalSession(session.bus, session.path);
      await session?.bus.close();
    },
  };
};

interface Bound {
  /** Of the session. */
  readonly path: string;
  readonly keys: ReadonlyMap<HotkeyAction, string>;
}

const bindOn = async (
  bus: SessionBus,
  wanted: readonly WantedHotkey[],
  signal: AbortSignal,
): Promise<Result<Bound, PortalRefusal>> => {
  const { Variant } = await import('dbus-native');
  const shortcuts = wanted.map(({ action, accelerator }) => {
    const trigger = triggerOf(accelerator);
    const options = {
      description: new Variant('s', TITLES[action]),
      ...(trigger !== null && { preferred_trigger: new Variant('s', trigger) }),
    };
    return [action, options];
  });
  const ask = (
    member: string,
    signature: string,
    body: readonly unknown[],
    options: Readonly<Record<string, unknown>>,
  ) => askPortal(bus, { portal: 'GlobalShortcuts', member, signature, body, options }, signal);
  // Plasma 5.27 takes the shortcuts here alone, all others in BindShortcuts alone.
  const created = await ask('CreateSession', '', [], {
    session_handle_token: new Variant('s', SESSION_TOKEN),
    shortcuts: new Variant('a(sa{sv})', shortcuts),
  });
  if (!created.ok) return created;
  const path = String(created.value['session_handle']);
  const listed = await ask('ListShortcuts', 'o', [path], {});
  if (!listed.ok) return listed;
  const known = keysOf(listed.value['shortcuts']);
  if (wanted.every(({ action }) => known.has(action))) return ok({ path, keys: known });
  const bound = await ask('BindShortcuts', 'oa(sa{sv})s', [path, shortcuts, ''], {});
  return bound.ok ? ok({ path, keys: keysOf(bound.value['shortcuts']) }) : bound;
};

/** A list of names, each with what the desktop tells about it. */
const keysOf = (shortcuts: unknown): ReadonlyMap<HotkeyAction, string> =>
  new Map(
    (Array.isArray(shortcuts) ? shortcuts : []).map(([action, told]) => [
      action as HotkeyAction,
      String((told as Readonly<Record<string, unknown>>)['trigger_description'] ?? ''),
    ]),
  );

const MODIFIERS: Readonly<Record<Modifier, string>> = { Control: 'CTRL', Alt: 'ALT', Shift: 'SHIFT', Super: 'LOGO' };

/** In the form of the XDG shortcuts specification; null: none is proposed. */
const triggerOf = (accelerator: string): string | null => {
  const parsed = parseAccelerator(accelerator, 'linux');
  if (!parsed.ok) return null;
  const { modifiers, key } = parsed.value;
  return [...modifiers.map((modifier) => MODIFIERS[modifier]), keysymName(key)].join('+');
};

const refusal = ({ why, detail }: PortalRefusal, environment: Environment): Failure => {
  const name = desktopName(environment);
  const words: Readonly<Record<PortalRefusal['why'], string>> = {
    refused: `${name} was told not to give Linkshot these hotkeys. Try again, and allow them.`,
    missing: `${name} no longer has a portal for hotkeys (${detail}). Sign in again, and try again.`,
    gone: `${name} gave Linkshot no hotkeys: ${detail}. Try again.`,
    failed: `${name} gave Linkshot no hotkeys (${detail}). Try again; linkshot doctor shows what the desktop offers.`,
  };
  return failure('HOTKEY_TAKEN', words[why], { params: { by: 'desktop', why } });
};
