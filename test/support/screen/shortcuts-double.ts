/** A portal for hotkeys as newer desktops have it (KDE Plasma 6, GNOME 48): it takes them in BindShortcuts alone. */
import dbus, { defineInterface, type MessageBus } from 'dbus-native';
import { openTestBus } from './portal-double.ts';

type Shortcut = readonly [id: string, told: Readonly<Record<string, unknown>>];

export interface ShortcutsDouble {
  readonly environment: Readonly<Record<string, string>>;
  /** What the user says to the desktop's question: 0 yes, 1 no. */
  answer: number;
  /** The keys that the desktop binds, by the name of the hotkey, in its own words. */
  keys: Readonly<Record<string, string>>;
  /** The hotkeys of the open session, with the wanted keys. */
  readonly bound: () => Readonly<Record<string, unknown>>;
  /** Tokens of all sessions that were opened. */
  readonly tokens: () => readonly string[];
  press(id: string): void;
  /** The user changes the keys in the settings of the desktop. */
  change(keys: Readonly<Record<string, string>>): void;
  /** Ends as a crash does; `start` starts it again. */
  crash(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const PORTAL = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const SHORTCUTS = 'org.freedesktop.portal.GlobalShortcuts';

export const openShortcutsDouble = async (folder: string): Promise<ShortcutsDouble> => {
  const testBus = await openTestBus(folder);
  let portal: MessageBus | null = null;
  let session: { readonly path: string; shortcuts: readonly Shortcut[] } | null = null;
  const tokens: string[] = [];

  const told = (): readonly Shortcut[] =>
    (session?.shortcuts ?? []).map(([id, { description }]) => [
      id,
      {
        description: new dbus.Variant('s', String(description)),
        trigger_description: new dbus.Variant('s', double.keys[id] ?? ''),
      },
    ]);
  const signal = (member: string, signature: string, ...body: unknown[]) =>
    portal?.sendSignal(PATH, SHORTCUTS, member, signature, [session?.path, ...body]);

  const double: ShortcutsDouble = {
    environment: {
      ...{ DBUS_SESSION_BUS_ADDRESS: testBus.address, XDG_CURRENT_DESKTOP: 'GNOME' },
      ...{ WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' },
    },
    answer: 0,
    keys: {},
    bound: () => Object.fromEntries((session?.shortcuts ?? []).map(([id, about]) => [id, about['preferred_trigger']])),
    tokens: () => tokens,
    press: (id) => void signal('Activated', 'osta{sv}', id, 1, {}),
    change(keys) {
      double.keys = keys;
      signal('ShortcutsChanged', 'oa(sa{sv})', told());
    },
    async start() {
      const bus = dbus.createClient({ busAddress: testBus.address });
      portal = bus;
      /** Answers as the portal does: with a signal to the path of the request. */
      const respond = (sender: string, token: unknown, code: number, results: Record<string, unknown>): string => {
        const request = `${PATH}/request/${sender.slice(1).replaceAll('.', '_')}/${token}`;
        setImmediate(() =>
          bus.sendSignal(request, 'org.freedesktop.portal.Request', 'Response', 'ua{sv}', [code, results]),
        );
        return request;
      };
      type Options = Readonly<Record<string, unknown>>;
      const out = { handle: 'o' } as const;
      const shortcuts = defineInterface({
        name: SHORTCUTS,
        properties: { version: { type: 'u', access: 'read', get: () => 1 } },
        methods: {
          CreateSession: {
            in: { options: 'a{sv}' },
            out,
            async handler({ options }: { options: Options }, { sender = '' }) {
              const token = String(options['session_handle_token']);
              tokens.push(token);
              const path = `${PATH}/session/${sender.slice(1).replaceAll('.', '_')}/${token}`;
              session = { path, shortcuts: [] };
              const close = {
                handler() {
                  if (session?.path === path) session = null;
                },
              };
              await bus.export(
                path,
                defineInterface({ name: 'org.freedesktop.portal.Session', methods: { Close: close } }),
              );
              return respond(sender, options['handle_token'], 0, { session_handle: new dbus.Variant('s', path) });
            },
          },
          ListShortcuts: {
            in: { session: 'o', options: 'a{sv}' },
            out,
            handler: ({ options }: { options: Options }, { sender = '' }) =>
              respond(sender, options['handle_token'], 0, { shortcuts: new dbus.Variant('a(sa{sv})', told()) }),
          },
          BindShortcuts: {
            in: { session: 'o', shortcuts: 'a(sa{sv})', parent: 's', options: 'a{sv}' },
            out,
            handler({ shortcuts, options }: { shortcuts: readonly Shortcut[]; options: Options }, { sender = '' }) {
              if (session && double.answer === 0) session.shortcuts = shortcuts;
              const results = { shortcuts: new dbus.Variant('a(sa{sv})', told()) };
              return respond(sender, options['handle_token'], double.answer, results);
            },
          },
        },
      });
      await bus.export(PATH, shortcuts);
      await bus.ownName(PORTAL);
    },
    async crash() {
      await portal?.close();
      portal = null;
      session = null;
    },
    async close() {
      await portal?.close();
      await testBus.close();
    },
  };
  await double.start();
  return double;
};
