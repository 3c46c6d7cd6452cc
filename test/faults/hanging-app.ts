/**
 * An app that uploads until it is asked to end, closes its profile in order, and then never exits. Usage: `PROFILE
 * SERVER KEY FILE`.
 */

import { shutDownOnSignals } from '../../src/host/shutdown.ts';
import { openBareEngine } from '../support/processes/bare-engine.ts';

const [profileDir = '', server = '', key = '', path = ''] = process.argv.slice(2);

const engine = await openBareEngine(profileDir);
shutDownOnSignals(() => engine.close());
process.on('exit', () => {
  // As native threads have done to others (nodejs/node#54918): the process is over and does not end.
  for (;;);
});
const added = await engine.queue.add([{ source: { owner: 'user', path }, name: 'file.png' }]);
if (!added.ok) throw new Error(added.error.code);
const connected = await engine.connection.connect({ server, key, keep: 'session' }, new AbortController().signal);
if (!connected.ok) throw new Error(connected.error.code);
