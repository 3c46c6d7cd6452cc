/** On Windows, whose shell has no `exec`, the npm scripts run the Node that the project pins. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EXEC = resolve(import.meta.dirname, '../../../scripts/node24/exec.mjs');

it('is not the one that comes first in PATH, and passes its exit code on', async () => {
  const folder = temporaryFolder('other-node');
  writeFileSync(join(folder, process.platform === 'win32' ? 'node.cmd' : 'node'), '#!/bin/sh\necho other\n', {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) };
  const run = (code: string) => promisify(execFile)(process.execPath, [EXEC, 'node', '-p', code], { env });
  expect((await run('process.execPath')).stdout.trim()).toBe(process.execPath);
  await expect(run('process.exit(7)')).rejects.toMatchObject({ code: 7 });
});
