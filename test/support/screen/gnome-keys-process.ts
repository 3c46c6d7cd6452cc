/** `gnome-keys-process.ts KEY...`: presses X key symbols on this GNOME desktop, as its remote control does. */
import dbus from 'dbus-native';

const NAME = 'org.gnome.Mutter.RemoteDesktop';

const bus = dbus.sessionBus();
const call = (path: string, of: string, member: string, body?: unknown[]) =>
  Promise.resolve(
    bus.invoke<string>({
      ...{ destination: NAME, path, interface: of, member },
      ...(body && { signature: 'ub', body }),
    }),
  );
const session = await call('/org/gnome/Mutter/RemoteDesktop', NAME, 'CreateSession');
await call(session, `${NAME}.Session`, 'Start');
for (const key of process.argv.slice(2).map(Number))
  for (const isDown of [true, false]) await call(session, `${NAME}.Session`, 'NotifyKeyboardKeysym', [key, isDown]);
await call(session, `${NAME}.Session`, 'Stop');
await bus.close();
