/**
 * Media inspectors that the servers of one process use one after the other: starting one costs a third of a second of
 * processor time, more than most files that tests publish. Only one that is ready for its next task is used again.
 */
import { RUN_FOLDER } from '../../../scripts/test-run/run-folder.ts';
import { DEFAULT_CONFIG } from '../../../src/server/config/config.ts';
import {
  forkInspector,
  type InspectorProcess,
  type StartInspectorProcess,
} from '../../../src/server/media/start-inspector-process.ts';
import { countAsStarting, spares } from './spares.ts';

/** None outside of a run of tests: a benchmark would wait for them and never end. */
const AT_MOST = process.env[RUN_FOLDER] === undefined ? 0 : 2;
const start = forkInspector(DEFAULT_CONFIG.media.memoryBytes);

const lend = (child: InspectorProcess): InspectorProcess => {
  let isReady = true;
  return {
    pid: child.pid,
    isAlive: () => child.isAlive(),
    send: (task) => {
      isReady = false;
      child.send(task);
    },
    listen: (listener) => {
      child.listen(
        listener && {
          message: (message) => {
            if ((message as { kind: string }).kind === 'done') isReady = true;
            listener.message(message);
          },
          end: () => listener.end(),
        },
      );
    },
    kill: () => {
      child.listen(null);
      if (isReady && child.isAlive() && spares.length < AT_MOST) spares.push(child);
      else child.kill();
      // Its next user has it now.
      isReady = false;
    },
  };
};

/** Every server of a process has the same settings. */
export const lendInspector: StartInspectorProcess = async (settings) => {
  while (spares.length > 0) {
    const spare = spares.pop();
    if (spare?.isAlive()) return lend(spare);
  }
  return lend(await countAsStarting(start(settings)));
};
