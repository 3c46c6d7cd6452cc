/** The app in a browser host on a profile, as it runs all day: `open-app.ts PROFILE SERVER KEY WINDOW`. Says its address as JSON. */
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { shutDownOnSignals } from '../../../src/host/shutdown.ts';
import { startBrowserHost } from '../../../src/web/start-browser-host.ts';

const [profileDir = '', server = '', key = '', rendererDir = ''] = process.argv.slice(2);
const started = await startBrowserHost({
  profileDir,
  rendererDir,
  port: 0,
  service: { server, key },
  secrets: async () => createMemoryKeyStore(),
  opener: { open: async () => ({ ok: true, value: undefined }) },
  environment: { ...process.env, LINKSHOT_CLIPBOARD: 'page' },
  log: (line) => console.error(line),
});
if (!started.ok) throw new Error(started.error.detail);
shutDownOnSignals(started.value.close);
console.log(JSON.stringify({ address: started.value.address }));
