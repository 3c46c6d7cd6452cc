/** Preloaded into a process that tests kill: keeps what Node has compiled for the next one, which Node else does when a process ends by itself. */
import { flushCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { stdout } = process;
  const { write } = stdout;
  // Its first line says that it is ready: by then it has loaded its modules.
  stdout.write = (...args) => {
    stdout.write = write;
    setImmediate(flushCompileCache);
    return stdout.write(...args);
  };
}
