/**
 * `gnome-input-process.ts KEYS...`: presses X key symbols on this GNOME desktop, as its remote control does; `A+B` at the
 * same time. `hold`: the desktop keeps this keyboard, without which it has none, until this program is killed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import dbus from 'dbus-native';

const REMOTE = 'org.gnome.Mutter.RemoteDesktop';
/** Between two steps, for the animation of what they show. */
const PAUSE_MS = 300;
const SHIFT = '65505';

const bus = dbus.sessionBus();
const call = (path: string, of: string, member: string, signature = '', body?: unknown[]) =>
  Promise.resolve(
    bus.invoke<string>({ destination: REMOTE, path, interface: of, member, ...(body && { signature, body }) }),
  );
const session = await call('/org/gnome/Mutter/RemoteDesktop', REMOTE, 'CreateSession');
const notify = (member: string, signature?: string, ...body: unknown[]) =>
  call(session, `${REMOTE}.Session`, member, signature, signature === undefined ? undefined : body);

const words = process.argv.slice(2);
await notify('Start');
// Windows do not hear the first key of a new keyboard.
for (const word of [SHIFT, ...words.filter((one) => one !== 'hold')]) {
  const keys = word.split('+').map(Number);
  for (const key of keys) await notify('NotifyKeyboardKeysym', 'ub', key, true);
  for (const key of keys.toReversed()) await notify('NotifyKeyboardKeysym', 'ub', key, false);
  await delay(PAUSE_MS);
}
if (words.includes('hold')) await new Promise(() => setInterval(() => {}, 1_000_000));
await notify('Stop');
await bus.close();
