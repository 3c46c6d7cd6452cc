/**
 * `gnome-input-process.ts STEP...`: presses X key symbols on this GNOME desktop, as its remote control does (`A+B`: at the
 * same time), and clicks places of its first monitor (`click:X,Y`). `hold`: the desktop keeps this keyboard, without which
 * it has none, until this program is killed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import dbus from 'dbus-native';

const REMOTE = 'org.gnome.Mutter.RemoteDesktop';
const CAST = 'org.gnome.Mutter.ScreenCast';
const LEFT = 272;
/** Between two steps, for the animation of what they show. */
const PAUSE_MS = 300;
const STREAM_MS = 1_000;

const bus = dbus.sessionBus();
const call = <T>(destination: string, path: string, of: string, member: string, signature = '', body?: unknown[]) =>
  Promise.resolve(bus.invoke<T>({ destination, path, interface: of, member, ...(body && { signature, body }) }));
const session = await call<string>(REMOTE, '/org/gnome/Mutter/RemoteDesktop', REMOTE, 'CreateSession');
const notify = (member: string, signature: string, ...body: unknown[]) =>
  call(REMOTE, session, `${REMOTE}.Session`, member, signature, body);

/** The picture that the places belong to. */
const openStream = async (): Promise<string> => {
  const property = [`${REMOTE}.Session`, 'SessionId'];
  const id = await call(REMOTE, session, 'org.freedesktop.DBus.Properties', 'Get', 'ss', property);
  const options = { 'remote-desktop-session-id': new dbus.Variant('s', String(id)) };
  const cast = await call<string>(CAST, '/org/gnome/Mutter/ScreenCast', CAST, 'CreateSession', 'a{sv}', [options]);
  return call<string>(CAST, cast, `${CAST}.Session`, 'RecordMonitor', 'sa{sv}', ['Meta-0', {}]);
};

const words = process.argv.slice(2);
const stream = words.some((word) => word.startsWith('click:')) ? await openStream() : '';
await notify('Start', '');
// The pointer has no place before the picture is there.
if (stream !== '') await delay(STREAM_MS);
for (const word of words.filter((one) => one !== 'hold')) {
  const [, place] = /^click:(.*)$/.exec(word) ?? [];
  if (place !== undefined) {
    const [x = 0, y = 0] = place.split(',').map(Number);
    await notify('NotifyPointerMotionAbsolute', 'sdd', stream, x, y);
    for (const isDown of [true, false]) await notify('NotifyPointerButton', 'ib', LEFT, isDown);
  } else {
    const keys = word.split('+').map(Number);
    for (const key of keys) await notify('NotifyKeyboardKeysym', 'ub', key, true);
    for (const key of keys.toReversed()) await notify('NotifyKeyboardKeysym', 'ub', key, false);
  }
  if (words.length > 1) await delay(PAUSE_MS);
}
if (words.includes('hold')) await new Promise(() => setInterval(() => {}, 1_000_000));
await notify('Stop', '');
await bus.close();
