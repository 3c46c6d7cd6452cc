/**
 * What KDE Plasma 5.27 knows of Linkshot's hotkeys beside its GlobalShortcuts portal, which tells the wanted keys of
 * every name: whether a name has keys at all, and whether they are those of an earlier start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import type { WantedHotkey } from '../ports.ts';
import type { SessionBus } from '../wayland/session-bus.ts';
import { type Modifier, parseAccelerator } from './accelerator.ts';

/**
 * KDE names its entry of the shortcuts after this token where it knows no application id: with another one at each
 * start it would collect entries.
 */
export const SESSION_TOKEN = 'linkshot';
const TIMEOUT_MS = 10_000;

const KDE_SHORTCUTS = 'org.kde.kglobalaccel';
type KdeCall = Omit<Parameters<SessionBus['call']>[0], 'destination'>;
const IS_ACTIVE: KdeCall = {
  path: `/component/${SESSION_TOKEN}`,
  interface: 'org.kde.kglobalaccel.Component',
  member: 'isActive',
};
const INFOS: KdeCall = { ...IS_ACTIVE, member: 'allShortcutInfos' };
/** The places of both in an information; 0 in either: none. */
const [KEYS, DEFAULT_KEYS] = [6, 7] as const;

/** Keys are integers of Qt. */
export interface KdeShortcut {
  readonly name: unknown;
  readonly keys: readonly unknown[];
  /** Those that Linkshot wanted when it first had this name. */
  readonly defaultKeys: readonly unknown[];
}

/** Empty where KDE does not answer. */
export const kdeShortcutsOn = async (bus: SessionBus, signal: AbortSignal): Promise<readonly KdeShortcut[]> => {
  const infos = await bus.call<readonly unknown[]>({ destination: KDE_SHORTCUTS, ...INFOS }, signal).catch(() => []);
  const keysIn = (keys: unknown): readonly unknown[] => (Array.isArray(keys) ? keys.filter((key) => key !== 0) : []);
  return infos.flatMap((info) =>
    Array.isArray(info) ? [{ name: info[0], keys: keysIn(info[KEYS]), defaultKeys: keysIn(info[DEFAULT_KEYS]) }] : [],
  );
};

/** Plasma 5.27 tells the wanted keys also where another program has them. */
export const isRefusedByKde = ({ keys }: KdeShortcut): boolean => keys.length === 0;

/**
 * Plasma keeps the first keys of a name, also where others were chosen while Linkshot did not run. Keys that the user
 * chose in Plasma's own settings are not its default ones, and stay.
 */
export const isOfEarlierStart = (
  { name, keys, defaultKeys }: KdeShortcut,
  wanted: readonly WantedHotkey[],
): boolean => {
  const own = wanted.find(({ action }) => action === name);
  const key = own ? qtKeyOf(own.accelerator) : null;
  return key !== null && keys.join() === defaultKeys.join() && !keys.includes(key);
};

/** KDE keeps the first keys of a name whatever is wanted later, so a name whose keys change begins again. */
export const forgetInKde = async (bus: SessionBus, actions: readonly HotkeyAction[]): Promise<void> => {
  if (actions.length === 0) return;
  const call = <T>(to: KdeCall): Promise<T | null> =>
    bus.call<T>({ destination: KDE_SHORTCUTS, ...to }, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null);
  // What the ended session still does with its names would restore them.
  for (let tries = 0; tries < 50 && (await call<boolean>(IS_ACTIVE)) === true; tries++) await delay(20);
  for (const action of actions) await call(unregister(action));
};

/** Removes a name with its keys. */
const unregister = (action: HotkeyAction): KdeCall => ({
  ...{ path: '/kglobalaccel', interface: 'org.kde.KGlobalAccel', member: 'unregister' },
  ...{ signature: 'ss', body: [SESSION_TOKEN, action] },
});

const QT_MODIFIERS: Readonly<Record<Modifier, number>> = {
  Shift: 0x02000000,
  Control: 0x04000000,
  Alt: 0x08000000,
  Super: 0x10000000,
};
const [QT_PRINT, QT_F1] = [0x01000009, 0x01000030] as const;

/** Null: a key that is not compared. */
const qtKeyOf = (accelerator: string): number | null => {
  const parsed = parseAccelerator(accelerator, 'linux');
  if (!parsed.ok) return null;
  const code = qtCodeOf(parsed.value.key);
  return code && parsed.value.modifiers.reduce((sum, modifier) => sum + QT_MODIFIERS[modifier], code);
};

const qtCodeOf = (key: string): number | null => {
  if (/^[A-Z0-9]$/.test(key)) return key.charCodeAt(0);
  if (/^F\d+$/.test(key)) return QT_F1 + Number(key.slice(1)) - 1;
  return key === 'PrintScreen' ? QT_PRINT : null;
};
