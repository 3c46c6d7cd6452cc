/**
 * `npm start`: builds what is outdated, then opens Linkshot as a desktop app, or in the browser if Electron or a
 * desktop is missing, Electron cannot start or the user asks for it. If Linkshot already runs with this profile, only
 * brings its window to the front, or says why not. Ctrl+C ends everything.
 */
import '../src/base/node/require-node.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { homeFolder } from '../src/base/node/home-folder.ts';
import { EXIT } from '../src/cli/exit-codes.ts';

const root = resolve(import.meta.dirname, '..');
const { env, platform } = process;

/** What only a new process can take. */
const RUN_OPTIONS = ['port', 'server', 'origin', 'trace-capture'] as const;

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        profile: { type: 'string' },
        port: { type: 'string' },
        server: { type: 'string' },
        origin: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        'trace-capture': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(
      `${(error as Error).message} Options: --profile DIR, --port N, --server URL, --origin URL, --no-open, --trace-capture.`,
    );
    return null;
  }
};

/** Windows and macOS always have a desktop; elsewhere a display is required. An empty name counts as missing. */
const hasDesktop = platform === 'win32' || platform === 'darwin' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);

const start = async (): Promise<boolean> => {
  const options = readOptions();
  if (!options) return false;
  const port = Number(options.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    console.error('--port is a number from 0 to 65535; 0 takes any free one.');
    return false;
  }
  const { origin } = options;
  if (origin !== undefined && URL.parse(origin)?.origin !== origin) {
    console.error('--origin is the address of a proxy without a path, such as https://linkshot.example.org.');
    return false;
  }
  const { profileFolder } = await import('../src/host/profile-folder.ts');
  const { workingDirectory } = await import('../src/host/working-directory.ts');
  const cwd = workingDirectory(process.cwd(), env);
  const profileDir = profileFolder(options.profile, { platform, environment: env, home: homeFolder(), cwd });

  const { connectToInstance } = await import('../src/ipc/host/instance-socket.ts');
  const running = await connectToInstance(profileDir, console.error);
  if (running) {
    const own = RUN_OPTIONS.filter((name) => options[name] !== undefined && options[name] !== false);
    const shown = own.length === 0 ? await running.call('app.show', {}) : null;
    running.close();
    if (shown?.ok) console.log('Linkshot is already running; its window comes to the front.');
    else if (shown) console.error(`Linkshot is already running. ${shown.error.detail}`);
    else {
      const names = own.map((name) => `--${name}`).join(', ');
      console.error(`Linkshot is already running with this profile and cannot take ${names}. Quit it first.`);
    }
    return shown?.ok ?? false;
  }

  const { buildIfOlder } = await import('./build.ts');
  if (!buildIfOlder(root, 'window')) return false;

  const server = options.server ?? env['LINKSHOT_SERVER'];
  const key = env['LINKSHOT_KEY'];
  const { keyIsForAnother } = await import('../src/cli/key-of-environment.ts');
  const elsewhere = server ? keyIsForAnother(server, env) : null;
  if (elsewhere) {
    console.error(elsewhere);
    return false;
  }
  const service = server ? (key ? { server, key } : 'profile') : 'try-out';
  if (server && !key)
    console.log(
      `LINKSHOT_KEY is not set, so Linkshot does not connect to ${server} automatically: connect in the window.`,
    );

  if (env['LINKSHOT_HOST'] !== 'browser' && origin === undefined) {
    const { findElectron } = await import('./electron-binary.ts');
    const electron = hasDesktop ? await findElectron(root) : { missing: 'There is no desktop here' };
    if (!electron) {
      // As during a build, which the signal itself ends. Ctrl+C is no failure, but nothing has started either.
      process.exitCode = EXIT.interrupted;
      return true;
    }
    if ('binary' in electron) {
      if (!buildIfOlder(root, 'programs')) return false;
      const { runDesktop } = await import('./desktop.ts');
      const args = options['trace-capture'] ? ['--trace-capture'] : [];
      const { hasRun, code } = await runDesktop({ binary: electron.binary, root, profileDir, service, args });
      if (hasRun) return code === 0;
      console.log(`Electron could not start here (${code}), so Linkshot opens in the browser.`);
    } else console.log(`${electron.missing}, so Linkshot opens in the browser.`);
  }
  const { runInBrowser } = await import('../src/web/run-in-browser.ts');
  const open = hasDesktop && !env['CI'] && !options['no-open'] ? 'browser' : 'nothing';
  return runInBrowser({ profileDir, port, service, open, ...(origin !== undefined && { origin }) });
};

if (!(await start())) process.exitCode = 1;
