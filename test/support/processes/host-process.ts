/**
 * A host as it is shipped, without a window, in a process that may be killed: `host-process.ts PROFILE`. It takes its
 * keys from the system's key store, opens pages with the system's opener, and accepts other starts. Prints "ready".
 */
import { silentNotifier } from '../../../src/engine/node-ports.ts';
import { browserOpener } from '../../../src/engine/open-browser.ts';
import { openSystemKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { startHostCore } from '../../../src/host/start-host-core.ts';
import { BARE } from '../window/bare-capabilities.ts';

const host = await startHostCore({
  profileDir: process.argv[2] ?? '',
  secrets: openSystemKeyStore,
  clipboard: null,
  notifier: silentNotifier,
  opener: browserOpener(process.platform),
  environment: process.env,
  capabilities: BARE,
  show: () => ({ ok: true, value: undefined }),
  log: (line) => console.error(line),
});
if (!host.ok) throw new Error(host.error.detail);
console.log('ready');
