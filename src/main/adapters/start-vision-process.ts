/**
 * Starts the vision process, which recognises text and codes in pictures, for the desktop app and for the command line
 * in its package. It uses Electron's utility process in place of a child process of Node
 * (`engine/vision/fork-vision.ts`).
 */
import { join } from 'node:path';
import { utilityProcess } from 'electron';
import type { StartVisionProcess } from '../../engine/ports.ts';

/** `programDir`: `out/server`. */
export const createStartVision =
  (programDir: string): StartVisionProcess =>
  (onMessage, onEnd) => {
    const child = utilityProcess.fork(join(programDir, 'vision-process-entry.js'), [], {
      serviceName: 'Linkshot: reading text in pictures',
      env: {},
      stdio: 'ignore',
    });
    child.on('message', onMessage);
    child.once('exit', onEnd);
    return { send: (task) => child.postMessage(task), kill: () => void child.kill() };
  };
