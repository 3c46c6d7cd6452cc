/**
 * `npm run dev`: the window in the browser with hot reload, against the real host with the try-out server. The host
 * restarts when its code changes; the page then connects again and keeps its state.
 */
import '../src/base/node/require-node.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import config from '../electron.vite.config.ts';
import { browserOpener } from '../src/engine/open-browser.ts';
import { shutDownOnSignals } from '../src/host/shutdown.ts';
import { KEY_FRAGMENT } from '../src/ipc/protocol/page-key.ts';
import { proxyTo } from './dev/proxy.ts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    profile: { type: 'string', default: join(root, 'out/dev-profile') },
    'no-open': { type: 'boolean', default: false },
  },
});

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createTcpServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

const [hostPort, pagePort] = [await freePort(), await freePort()];
const page = `http://127.0.0.1:${pagePort}`;
const key = randomBytes(64).toString('hex');
const address = `${page}/${KEY_FRAGMENT}${key}`;

const vite = await createServer({
  ...config.renderer,
  configFile: false,
  cacheDir: join(root, 'out/dev-cache'),
  server: {
    host: '127.0.0.1',
    port: pagePort,
    strictPort: true,
    proxy: proxyTo(`http://127.0.0.1:${hostPort}`, page),
    fs: { allow: [root] },
  },
});
await vite.listen();

const host = spawn(
  process.execPath,
  [
    ...['--watch', '--watch-preserve-output', join(import.meta.dirname, 'dev/host.ts')],
    ...[options.profile, String(hostPort), page],
  ],
  { stdio: 'inherit', env: { ...process.env, LINKSHOT_DEV_KEY: key } },
);
const ended = new Promise<void>((done) => host.once('exit', () => done()));
shutDownOnSignals(async () => {
  host.kill('SIGTERM');
  await Promise.all([ended, vite.close()]);
});
console.log(`Linkshot: ${address}`);
if (!options['no-open']) await browserOpener(process.platform).open(address);
