/** `browser-host-process.ts PROFILE`: the browser host of this desktop without an open page, until SIGTERM. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '../../../src/api/errors.ts';
import { createMemoryKeyStore } from '../../../src/engine/profile/system-key-store.ts';
import { startBrowserHost } from '../../../src/web/start-browser-host.ts';

const [profileDir = ''] = process.argv.slice(2);
const { LINKSHOT_SERVER: server = '', LINKSHOT_KEY: key = '', ...environment } = process.env;
const rendererDir = mkdtempSync(join(tmpdir(), 'renderer-'));
writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Linkshot</title>');
const started = await startBrowserHost({
  ...{
    profileDir,
    rendererDir,
    port: 0,
    service: { server, key },
    secrets: async () => createMemoryKeyStore(),
    environment,
  },
  opener: { open: async () => ok(undefined) },
  log: (line) => void process.stderr.write(`${line}\n`),
});
if (!started.ok) throw new Error(started.error.detail);
process.on('SIGTERM', () => void started.value.close().then(() => process.exit()));
process.stdout.write('ready\n');
