/**
 * The host of `npm run dev`, in a process that Node restarts when its code changes: `host.ts PROFILE PORT PAGE`. The
 * key comes in LINKSHOT_DEV_KEY, so that the page stays connected over restarts; other users can read arguments.
 */
import { join } from 'node:path';
import { browserOpener } from '../../src/engine/open-browser.ts';
import { openSystemKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { shutDownOnSignals } from '../../src/host/shutdown.ts';
import { KEY_FRAGMENT } from '../../src/ipc/protocol/page-key.ts';
import { startBrowserHost } from '../../src/web/start-browser-host.ts';

const [profileDir = '', port = '', page = ''] = process.argv.slice(2);
const key = process.env['LINKSHOT_DEV_KEY'] ?? '';
// Child processes inherit the environment.
delete process.env['LINKSHOT_DEV_KEY'];
const started = await startBrowserHost({
  profileDir,
  port: Number(port),
  rendererDir: join(import.meta.dirname, '../../src/renderer'),
  page: { key, address: `${page}/${KEY_FRAGMENT}${key}` },
  service: 'try-out',
  secrets: openSystemKeyStore,
  opener: browserOpener(process.platform),
  environment: process.env,
  log: console.error,
});
if (!started.ok) throw new Error(started.error.detail);
shutDownOnSignals(started.value.close);
console.log('The host is ready.');
