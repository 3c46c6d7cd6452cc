/** The program of the built-in server: a utility process that serves 127.0.0.1 until it is asked to close. */
import type { ParentPort } from 'electron';
import { type EmbeddedServer, startEmbedded } from '../../host/try-out-server.ts';
import { createInspectorProcesses } from './inspector-processes.ts';
import type { FromServer, ToServer } from './messages.ts';

const { parentPort } = process as unknown as { readonly parentPort: ParentPort };
const send = (message: FromServer): void => parentPort.postMessage(message);

const inspectors = createInspectorProcesses(send);
let embedded: EmbeddedServer | null = null;

const begin = async (profileDir: string): Promise<void> => {
  try {
    embedded = await startEmbedded(profileDir, { isBundled: true, startInspector: inspectors.start });
    send({ kind: 'begun', server: embedded.server, key: embedded.key });
  } catch (error) {
    send({ kind: 'failed', detail: error instanceof Error ? error.message : String(error) });
  }
};

parentPort.on('message', ({ data }) => {
  const message = data as ToServer;
  if (message.kind === 'begin') void begin(message.profileDir);
  else if (message.kind === 'inspector') inspectors.handle(message);
  else void Promise.resolve(embedded?.close()).finally(() => process.exit());
});
