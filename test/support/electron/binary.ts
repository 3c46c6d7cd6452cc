/**
 * Plays Electron's executable: `node binary.ts [-r SCRIPT] [--inspect=0] [--remote-debugging-port=N] APP [ARGUMENTS]`
 * runs the built app on the double, with Chromium pages for windows. Prints the addresses of its debuggers as Electron
 * does, so that Playwright can drive it like Electron. ELECTRON_DOUBLE (JSON) sets up the desktop.
 */
import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import type { Chromium } from './chromium.ts';
import { desktop } from './desktop.ts';
import { createInbox } from './inbox.ts';
import { lifeCycle } from './life-cycle.ts';
import { pages } from './page.ts';

const double = new URL('./index.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
});
const require = createRequire(import.meta.url);

const args = process.argv.slice(2);
const switchOf = (name: string): string | undefined =>
  args.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const isSwitch = (at: number): boolean => (args[at] ?? '').startsWith('-') || args[at - 1] === '-r';
const appAt = args.findIndex((_, at) => !isSwitch(at));
const appPath = resolve(args[appAt] ?? '.');
Object.assign(process, { argv: [process.execPath, ...args] });

desktop.paths.set('app', appPath);
Object.assign(desktop, JSON.parse(process.env['ELECTRON_DOUBLE'] ?? '{}'));

let chromium: Promise<Chromium> | null = null;
let isReady = false;
const evaluated = Promise.withResolvers<void>();
const userData = (): string => desktop.paths.get('userData') ?? join(appPath, '.electron-double');
const inbox = createInbox(userData);

const launch = async (): Promise<Chromium> => {
  // A start that delegates and exits does not need it.
  const { launchChromium } = await import('./chromium.ts');
  const launched = await launchChromium(join(userData(), 'chromium'), Number(switchOf('remote-debugging-port') ?? 0));
  console.error(`DevTools listening on ${launched.debuggerUrl}`);
  pages.open = launched.open;
  return launched;
};

Object.assign(lifeCycle, {
  phase: () => (isReady ? 'ready' : 'before-ready'),
  // As in Electron: a main module that awaits it at its top level waits forever.
  whenReady: async () => {
    await evaluated.promise;
    chromium ??= launch();
    await chromium;
    isReady = true;
  },
  takeLock: (data: unknown) =>
    inbox.take({ argv: process.argv, cwd: process.cwd(), data }, (second) =>
      app.emit('second-instance', {}, second.argv, second.cwd, second.data),
    ),
  giveLockBack: inbox.leave,
  end: (code: number) => {
    void (async () => {
      await (await chromium)?.close();
      process.exit(code);
    })();
  },
} satisfies typeof lifeCycle);
// Electron quits cleanly on this signal.
process.on('SIGTERM', () => app.quit());

if (switchOf('inspect') !== undefined) inspector.open(Number(switchOf('inspect')), '127.0.0.1');
for (const [at, each] of args.slice(0, appAt).entries()) if (args[at - 1] === '-r') require(each);

const { main } = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')) as { main: string };
await import(pathToFileURL(join(appPath, main)).href);
evaluated.resolve();
