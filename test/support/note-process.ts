/**
 * A process that shares a note and may be killed: `note-process.ts PROFILE SERVER KEY [TEXT LINK-SETTINGS]`. It adds the
 * text, or goes on with what the profile holds, and ends when the queue has nothing left.
 */
import { ok } from '../../src/contract/errors.ts';
import type { LinkSettings } from '../../src/contract/link-settings.ts';
import { sessionSecrets, silentNotifier, systemClock, systemRandom } from '../../src/engine/defaults.ts';
import { createEngine } from '../../src/engine/engine.ts';

const [profileDir = '', server = '', key = '', text, share = '{}'] = process.argv.slice(2);
const never = new AbortController().signal;

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
const connected = await engine.connect({ server, key, keep: 'session' }, never);
if (!connected.ok) throw new Error(connected.error.code);
if (text !== undefined) {
  const added = await engine.addNote({ text, share: JSON.parse(share) as LinkSettings });
  if (!added.ok) throw new Error(added.error.code);
}
for (const { id } of engine.state().queue.items) {
  const settled = await engine.settled(id, 60_000, never);
  if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
}
await engine.close();
