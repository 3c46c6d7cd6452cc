/**
 * `npm run bench:desktop` (build first): from the hotkey to the link in the built desktop app, as `--trace-capture` prints it,
 * on a virtual X screen of 1920x1080 with the double of Electron. Writes docs/benchmarks.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElectronApplication } from '@playwright/test';
import { startTryOutServer } from '../../src/host/try-out-server.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { makeProfile } from '../e2e/app-process.ts';
import { launchDesktop, makeDoubleBinary } from '../support/desktop/desktop-app.ts';
import { openXBrowser } from '../support/screen/x-browser.ts';
import { median, percentile, table, writeSection } from './report.ts';

const CAPTURES = Number(process.env['BENCH_CAPTURES'] ?? 12);
/** Loads what only a first capture loads. */
const WARM_UP = 3;
const SCREEN = { width: 1920, height: 1080 };
const AREA = { x: 200, y: 150, width: 800, height: 600 };
const PATIENCE_MS = 20_000;

const until = async <T>(find: () => T | null | undefined | false): Promise<T> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(5)) {
    const found = find();
    if (found) return found;
  }
  throw new Error('This did not happen in time.');
};

const profile = makeProfile();
const screen = await openXBrowser(SCREEN, { width: 900, height: 700 });
const binary = makeDoubleBinary();
const shows = { display: screen.display };
const screens = [{ bounds: { x: 0, y: 0, ...SCREEN }, scaleFactor: 1, nativeOrigin: { x: 0, y: 0 }, shows }];
const desktop = await launchDesktop({
  ...{ binary: binary.path, profile: profile.path, args: ['--hidden', '--trace-capture'] },
  env: {
    ...{ ELECTRON_DOUBLE: JSON.stringify({ screens }), DISPLAY: screen.display },
    ...{ WAYLAND_DISPLAY: '', XDG_SESSION_TYPE: '' },
  },
});
const embedded = await startTryOutServer(profile.path);

const press = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => {
    const { hotkeys } = (electron as unknown as typeof import('../support/electron/index.ts')).desktop;
    for (const heard of hotkeys.values()) heard();
  });

/** The milliseconds of one step of one capture, once it is printed. */
const stepOf = async (id: string, step: string): Promise<number> => {
  const line = new RegExp(`^trace-capture ${id} ${step}(?: display=1)? ([\\d.]+) ms`, 'm');
  return Number((await until(() => line.exec(desktop.output())))[1]);
};

try {
  const instance = await connectToInstance(profile.path);
  if (!instance) throw new Error('The app does not run.');
  await instance.call('connection.embed', { server: embedded.server, key: embedded.key });
  await instance.call('settings.update', { reviewRecordings: false });
  let hotkeys = 0;
  while (hotkeys === 0) {
    await sleep(50);
    const state = await instance.call('app.state', {});
    hotkeys = state.ok ? state.value.hotkeys.keys.filter(({ state: asked }) => asked === 'asked').length : 0;
  }
  const captures: Record<'frozen' | 'toast' | 'linked', number>[] = [];
  for (let round = 0; round < WARM_UP + CAPTURES; round += 1) {
    const printed = desktop.output().length;
    await press(desktop.electron);
    const begun = /^trace-capture (\S+) frozen/m;
    const [, id = ''] = await until(() => begun.exec(desktop.output().slice(printed)));
    const frozen = await stepOf(id, 'frozen');
    await stepOf(id, 'shown');
    const chosen = await instance.call('capture.choose', { id: id as never, area: AREA, way: 'publish' });
    if (!chosen.ok) throw new Error(chosen.error.detail);
    const [toast, linked] = [await stepOf(id, 'toast'), await stepOf(id, 'linked')];
    if (round >= WARM_UP) captures.push({ frozen, toast, linked });
    // The next one finds the desktop quiet.
    while ((await desktop.shown()).includes('toast.html')) await sleep(100);
  }
  instance.close();
  const row = (name: string, of: keyof (typeof captures)[number]): string[] => {
    const values = captures.map((each) => each[of]);
    return [name, ...[median(values), percentile(values, 0.95), Math.max(...values)].map((value) => value.toFixed(0))];
  };
  const rows = [
    row('Press -> the screen is frozen, and every window notified', 'frozen'),
    row('Choice -> the notice is shown', 'toast'),
    row('**Choice -> the link is ready**', 'linked'),
  ];
  const findings = `${CAPTURES} captures after ${WARM_UP}, one display of ${SCREEN.width}x${SCREEN.height}, a region of ${AREA.width}x${AREA.height}.`;
  writeSection('desktop', `${findings}\n\n${table(['Milliseconds', 'p50', 'p95', 'longest'], rows)}`);
} finally {
  await desktop.close();
  await embedded.close();
  await screen.close();
  binary.remove();
  profile.remove();
}
