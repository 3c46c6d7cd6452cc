/** Starts the threads that render one text at a time with limited memory, for the pool of `renderer.ts`. */
import { Worker } from 'node:worker_threads';
import { workerFile } from '../../base/node/worker-file.ts';
import type { Runner } from '../fairness/fair-pool.ts';
import type { RenderTask } from './render-task.ts';

const THREAD = workerFile(import.meta.url, 'render-thread');
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The HTML, or null when it would be too long for a page. `log` gets the reason when a thread ends by itself. */
export const startRenderRunner = async (log: (line: string) => void): Promise<Runner<RenderTask, string | null>> => {
  const thread = new Worker(THREAD, { resourceLimits: MEMORY, env: {}, execArgv: [] });
  let isAlive = true;
  thread.on('error', (error) => log(`A text could not be rendered and is shown plain: ${error.message}`));
  thread.once('exit', () => {
    isAlive = false;
  });
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
  });
  // Does not keep the process alive.
  thread.unref();

  return {
    run: (task, { answered }) =>
      new Promise((resolve, reject) => {
        const onHtml = (html: string | null): void => {
          thread.off('exit', end);
          answered(html);
          resolve();
        };
        const end = (): void => {
          thread.off('message', onHtml);
          reject(new Error('The thread has ended over a text.'));
        };
        thread.once('message', onHtml);
        thread.once('exit', end);
        thread.postMessage(task);
      }),
    // Only the whole process is measured.
    usedMs: () => null,
    stop: () => void thread.terminate(),
    isAlive: () => isAlive,
  };
};
