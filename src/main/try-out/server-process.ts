/**
 * The program of the built-in server: an Electron utility process that serves 127.0.0.1 until it is asked to close. It
 * asks the app to start the processes that inspect uploaded files.
 */

import type { ParentPort } from 'electron';
import { messageOf } from '../../base/common/error-text.ts';
import {
  type InspectorProcess,
  type StartInspectorProcess,
  startTryOutServer,
  type TryOutServer,
} from '../../host/try-out-server.ts';
import type { FromServer, ToServer } from './process-messages.ts';

type InspectorMessage = Extract<ToServer, { kind: 'inspector' }>;

interface Known {
  readonly ready: () => void;
  readonly failed: (reason: Error) => void;
  pid: number | undefined;
  listener: Parameters<InspectorProcess['listen']>[0];
}

interface InspectorProcesses {
  readonly start: StartInspectorProcess;
  handle(message: InspectorMessage): void;
}

/** The inspector processes, as the built-in server sees them: the app starts them and relays their messages. */
const createInspectorProcesses = (send: (message: FromServer) => void): InspectorProcesses => {
  const known = new Map<number, Known>();
  let last = 0;

  const processOf = (id: number): InspectorProcess => ({
    pid: known.get(id)?.pid,
    isAlive: () => known.has(id),
    send: (message) => send({ kind: 'inspector', id, act: 'send', message }),
    listen(listener) {
      const found = known.get(id);
      if (found) found.listener = listener;
      // It has exited since it was chosen.
      else listener?.end();
    },
    kill: () => send({ kind: 'inspector', id, act: 'kill' }),
  });

  return {
    start: (settings) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        known.set(id, {
          ready: () => resolve(processOf(id)),
          failed: reject,
          pid: undefined,
          // Its first message is that it is ready.
          listener: { message: () => known.get(id)?.ready(), end: () => {} },
        });
        send({ kind: 'inspector', id, act: 'start', settings });
      }),
    handle(message) {
      const found = known.get(message.id);
      if (!found) return;
      if (message.event === 'started') found.pid = message.pid;
      else if (message.event === 'message') found.listener?.message(message.message);
      else {
        known.delete(message.id);
        found.failed(new Error('The inspector ended at its start.'));
        found.listener?.end();
      }
    },
  };
};

const { parentPort } = process as unknown as { readonly parentPort: ParentPort };
const send = (message: FromServer): void => parentPort.postMessage(message);

const inspectors = createInspectorProcesses(send);
let embedded: TryOutServer | null = null;

const begin = async (profileDir: string): Promise<void> => {
  try {
    embedded = await startTryOutServer(profileDir, { isBundled: true, startInspector: inspectors.start });
    send({ kind: 'begun', server: embedded.server, key: embedded.key });
  } catch (error) {
    send({ kind: 'failed', detail: messageOf(error) });
  }
};

parentPort.on('message', ({ data }) => {
  const message = data as ToServer;
  if (message.kind === 'begin') void begin(message.profileDir);
  else if (message.kind === 'inspector') inspectors.handle(message);
  else void Promise.resolve(embedded?.close()).finally(() => process.exit());
});
