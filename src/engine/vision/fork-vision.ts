/**
 * Starts the vision process (`vision-process-entry.ts`) as a child process of Node. Its JavaScript memory is limited,
 * and on Linux all of its memory, where `prlimit` exists.
 */
import { fileURLToPath } from 'node:url';
import { limitMemory } from '../../base/node/limit-process-memory.ts';
import { fork } from '../../base/node/run-program.ts';
import { workerFile } from '../../base/node/worker-file.ts';
import type { StartVisionProcess } from '../ports.ts';

/** Private writable memory: Node, a decoded picture of 64 megapixels, and Tesseract's copies of it. */
const MEMORY_BYTES = 3 * 1024 ** 3;
const JS_HEAP_MB = 512;

export const forkVision: StartVisionProcess = (onMessage, onEnd) => {
  const child = fork(fileURLToPath(workerFile(import.meta.url, 'vision-process-entry')), {
    execArgv: [`--max-old-space-size=${JS_HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    env: { PATH: process.env['PATH'], VIPS_BLOCK_UNTRUSTED: '1', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Transfers pictures as bytes.
    serialization: 'advanced',
  });
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  child.on('message', onMessage);
  child.once('error', end);
  child.once('exit', end);
  // The limit of pixels and the time limit hold everywhere.
  if (child.pid !== undefined) void limitMemory(child.pid, MEMORY_BYTES);
  return {
    send: (task) => void child.send(task, (error) => error && end()),
    kill: () => void child.kill('SIGKILL'),
  };
};
