/**
 * `node scripts/smoke-packed.ts PROGRAM [ARGUMENTS]`: starts a packed app with a fresh profile and asks it for its
 * state. Fails if it does not answer within a minute. The socket of the profile is the only access to a packed app.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToInstance } from '../src/ipc/host/instance-socket.ts';

const LIMIT_MS = 60_000;
const ASK_MS = 200;

/** The problem as a sentence; null: it answered. */
const ask = async (profile: string, hasEnded: () => boolean): Promise<string | null> => {
  for (let waited = 0; waited < LIMIT_MS; waited += ASK_MS) {
    if (hasEnded()) return 'It ended.';
    const instance = await connectToInstance(profile);
    if (instance) {
      const state = await instance.call('app.state', {});
      instance.close();
      return state.ok ? null : state.error.detail;
    }
    await sleep(ASK_MS);
  }
  return 'It did not answer within a minute.';
};

const [program = '', ...args] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'linkshot-smoke-'));
const child = spawn(program, [...args, '--profile', profile, '--hidden'], { stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
for (const stream of [child.stdout, child.stderr])
  stream.on('data', (bytes: Buffer) => {
    output += bytes.toString();
  });
const ended = once(child, 'exit').catch((error: Error) => {
  output += error.message;
});
let isRunning = true;
void ended.then(() => {
  isRunning = false;
});

const problem = await ask(profile, () => !isRunning);
child.kill();
await ended;
// Windows releases a program's files a moment after its end.
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
if (problem === null) console.log('It answers.');
else {
  console.error(`${program}: ${problem}\n${output}`);
  process.exitCode = 1;
}
