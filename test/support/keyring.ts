/**
 * A real gnome-keyring on a private D-Bus with its own home, apart from the user's keys. Prompts cannot appear on this
 * bus, so what is locked stays locked until the test unlocks it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { vi } from 'vitest';

export interface Keyring {
  /** For a process that should use this keyring. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of its files. */
  readonly home: string;
  /** Starts the daemon; `locked`: as after a sign-in without a password. */
  start(how: 'unlocked' | 'locked'): Promise<void>;
  /** Kills the daemon; the bus stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The same at each start: it opens the keyring that the first one created. */
const PASSWORD = 'of the keyring';
const SECRETS = 'org.freedesktop.secrets';

const busAt = (
  path: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${path}</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

const run = promisify(execFile);

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

/** `folder`: an empty one, for the keyring's files. */
export const openKeyring = async (folder: string): Promise<Keyring> => {
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const config = join(folder, 'bus.conf');
  writeFileSync(config, busAt(join(runtime, 'bus')));
  const bus = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = (await once(createInterface(bus.stdout), 'line')) as [string];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_RUNTIME_DIR: runtime,
    DBUS_SESSION_BUS_ADDRESS: address,
  };
  let daemon: ChildProcess | null = null;

  const ask = async (destination: string, path: string, method: string, ...words: readonly string[]) => {
    const question = ['--session', '--print-reply=literal', `--dest=${destination}`, path, method];
    return (await run('dbus-send', [...question, ...words.map((word) => `string:${word}`)], { env: environment }))
      .stdout;
  };
  const isServed = async (): Promise<boolean> =>
    (await ask('org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner', SECRETS)).includes('true');
  /** Its name is on the bus before it has read the password. */
  const isLocked = async (): Promise<boolean> =>
    (
      await ask(
        SECRETS,
        '/org/freedesktop/secrets/aliases/default',
        'org.freedesktop.DBus.Properties.Get',
        'org.freedesktop.Secret.Collection',
        'Locked',
      )
    ).includes('true');
  const poll = (isSo: () => Promise<boolean>, message: string): Promise<void> =>
    vi.waitFor(
      async () => {
        if (!(await isSo())) throw new Error(message);
      },
      { timeout: 60_000, interval: 50 },
    );
  const kill = async () => {
    if (daemon) await ended(daemon);
    daemon = null;
    await poll(async () => !(await isServed()), 'The keyring is still on the bus.');
  };

  return {
    environment,
    home: folder,
    async start(how) {
      await kill();
      const args = ['--foreground', '--components=secrets', ...(how === 'unlocked' ? ['--unlock'] : [])];
      daemon = spawn('gnome-keyring-daemon', args, { env: environment, stdio: ['pipe', 'ignore', 'ignore'] });
      daemon.stdin?.end(how === 'unlocked' ? PASSWORD : '');
      await poll(isServed, 'The keyring is not on the bus yet.');
      await poll(async () => (await isLocked()) === (how === 'locked'), `The keyring is not ${how} yet.`);
    },
    kill,
    async stop() {
      await kill();
      await ended(bus);
    },
  };
};
