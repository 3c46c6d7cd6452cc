/** An app that uploads until it is asked to end, closes its profile in order, and then never exits: `PROFILE SERVER KEY FILE`. */
import { ok } from '../../src/contract/errors.ts';
import { sessionSecrets, silentNotifier, systemClock, systemRandom } from '../../src/engine/defaults.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { endOnSignals } from '../../src/host/ending.ts';

const [profileDir = '', server = '', key = '', path = ''] = process.argv.slice(2);

const made = await createEngine({
  clock: systemClock,
  random: systemRandom,
  secrets: sessionSecrets(),
  clipboard: null,
  notifier: silentNotifier,
  opener: { open: () => Promise.resolve(ok(undefined)) },
  environment: process.env,
  profileDir,
  device: { name: 'Test computer', platform: 'linux' },
  version: 'test',
});
if (!made.ok) throw new Error(made.error.code);
const engine = made.value;
endOnSignals(() => engine.close());
process.on('exit', () => {
  // As native threads have done to others (nodejs/node#54918): the process is over and does not end.
  for (;;);
});
const added = await engine.add([{ source: { owner: 'person', path }, name: 'file.png' }]);
if (!added.ok) throw new Error(added.error.code);
const connected = await engine.connect({ server, key, keep: 'session' }, new AbortController().signal);
if (!connected.ok) throw new Error(connected.error.code);
