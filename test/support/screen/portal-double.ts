/** A session bus with a portal and a permission store that answer as a test wants. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import dbus, { defineInterface, type MessageBus } from 'dbus-native';
import { until } from '../engine.ts';
import { isListening } from '../is-listening.ts';

/** A path: this picture. A number: the code of a refusal. `end`: the portal ends without an answer. */
type PortalAnswer = { readonly picture: string } | { readonly code: number } | 'end' | 'nothing';

export interface PortalDouble {
  readonly environment: Readonly<Record<string, string>>;
  /** What the next request gets; null: there is no portal. */
  answer: PortalAnswer;
  /** The remembered answer of the user; null: none. */
  remembered: 'yes' | 'no' | null;
  /** How many requests came. */
  readonly asked: () => number;
  /** How many requests were closed by the program that made them. */
  readonly closed: () => number;
  /** Starts the portal, again where it has ended. */
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** It starts none of the programs that are installed here. */
const WITHOUT_SERVICES = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>ADDRESS</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`;

const PORTAL = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const STORE = 'org.freedesktop.impl.portal.PermissionStore';

/** A session bus of its own in this folder. */
export const openTestBus = async (folder: string) => {
  const path = join(folder, 'bus');
  const address = `unix:path=${path}`;
  const config = join(folder, 'bus.conf');
  await writeFile(config, WITHOUT_SERVICES.replace('ADDRESS', address));
  const daemon = spawn('dbus-daemon', ['--nofork', `--config-file=${config}`], { stdio: 'ignore' });
  await until(() => isListening(path));
  return {
    address,
    /** It answers nothing from now on, and closes no connection. */
    freeze: () => void daemon.kill('SIGSTOP'),
    async close() {
      const gone = once(daemon, 'exit');
      daemon.kill('SIGKILL');
      await gone;
    },
  };
};

export const openPortalDouble = async (folder: string): Promise<PortalDouble> => {
  const testBus = await openTestBus(folder);
  const { address } = testBus;
  let portal: MessageBus | null = null;
  let asked = 0;
  let closed = 0;

  const end = async (): Promise<void> => {
    await portal?.close();
    portal = null;
  };
  const double: PortalDouble = {
    environment: { DBUS_SESSION_BUS_ADDRESS: address },
    answer: 'nothing',
    remembered: null,
    asked: () => asked,
    closed: () => closed,
    async start() {
      const bus = dbus.createClient({ busAddress: address });
      portal = bus;
      const respond = (request: string): void => {
        const { answer } = double;
        if (answer === 'nothing') return;
        if (answer === 'end') return void end();
        const results = 'picture' in answer ? { uri: new dbus.Variant('s', `file://${answer.picture}`) } : {};
        const code = 'code' in answer ? answer.code : 0;
        bus.sendSignal(request, 'org.freedesktop.portal.Request', 'Response', 'ua{sv}', [code, results]);
      };
      const screenshot = defineInterface({
        name: 'org.freedesktop.portal.Screenshot',
        properties: { version: { type: 'u', access: 'read', get: () => 2 } },
        methods: {
          Screenshot: {
            in: { parent: 's', options: 'a{sv}' },
            out: { handle: 'o' },
            async handler({ options }: { options: { handle_token: string } }, { sender = '' }) {
              const request = `${PATH}/request/${sender.slice(1).replaceAll('.', '_')}/${options.handle_token}`;
              const close = { handler: () => void closed++ };
              await bus.export(
                request,
                defineInterface({ name: 'org.freedesktop.portal.Request', methods: { Close: close } }),
              );
              setImmediate(respond, request);
              asked += 1;
              return request;
            },
          },
        },
      });
      const store = defineInterface({
        name: STORE,
        methods: {
          Lookup: {
            in: { table: 's', id: 's' },
            out: { permissions: 'a{sas}', data: 'v' },
            handler() {
              if (double.remembered === null) throw new Error('No entry for screenshot');
              return { permissions: { '': [double.remembered] }, data: new dbus.Variant('b', false) };
            },
          },
        },
      });
      await bus.export(PATH, screenshot);
      await bus.export('/org/freedesktop/impl/portal/PermissionStore', store);
      await bus.ownName(PORTAL);
      await bus.ownName(STORE);
    },
    stop: end,
    async close() {
      await end();
      await testBus.close();
    },
  };
  await double.start();
  return double;
};
