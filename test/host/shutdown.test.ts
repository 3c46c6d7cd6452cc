/** A process that is asked to end has nothing left to write when its watchdog starts. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODULE = pathToFileURL(resolve(import.meta.dirname, '../../src/host/shutdown.ts')).href;

it('keeps what Node has compiled before the watchdog starts, which would kill a slow computer that keeps it', () => {
  const cache = join(temporaryFolder('shutdown'), 'compiled');
  const program = `
    import { readdirSync } from 'node:fs';
    import { shutDownOnSignals } from ${JSON.stringify(MODULE)};
    const files = () => readdirSync(${JSON.stringify(cache)}, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    shutDownOnSignals(async () => console.log(files().length > 0));
    process.on('exit', () => console.log(files().length > 0));
    process.emit('SIGTERM');`;
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' });
  expect(output).toBe('false\ntrue\n');
});
