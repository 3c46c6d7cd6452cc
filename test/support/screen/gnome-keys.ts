/** Presses keys on a GNOME desktop, as its remote control does. */
import dbus from 'dbus-native';

const NAME = 'org.gnome.Mutter.RemoteDesktop';

/** `keys`: X key symbols, each pressed and released. */
export const pressKeys = async (
  environment: Readonly<Record<string, string>>,
  keys: readonly number[],
): Promise<void> => {
  const bus = dbus.createClient({ busAddress: environment['DBUS_SESSION_BUS_ADDRESS'] ?? '' });
  try {
    const call = (path: string, of: string, member: string, body?: unknown[]) =>
      Promise.resolve(
        bus.invoke<string>({
          ...{ destination: NAME, path, interface: of, member },
          ...(body && { signature: 'ub', body }),
        }),
      );
    const session = await call('/org/gnome/Mutter/RemoteDesktop', NAME, 'CreateSession');
    await call(session, `${NAME}.Session`, 'Start');
    for (const key of keys)
      for (const isDown of [true, false]) await call(session, `${NAME}.Session`, 'NotifyKeyboardKeysym', [key, isDown]);
    await call(session, `${NAME}.Session`, 'Stop');
  } finally {
    await bus.close();
  }
};
