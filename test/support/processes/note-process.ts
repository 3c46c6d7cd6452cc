/**
 * A process that shares a note and may be killed: `note-process.ts PROFILE SERVER KEY [TEXT LINK-SETTINGS]`. It adds
 * the text, or resumes the queue of the profile, and exits when the queue is empty.
 */
import type { LinkSettings } from '../../../src/ipc/protocol/link-settings.ts';
import { only } from '../results.ts';
import { openBareEngine } from './bare-engine.ts';

const [profileDir = '', server = '', key = '', text, share = '{}'] = process.argv.slice(2);
const never = new AbortController().signal;

const engine = await openBareEngine(profileDir);
const connected = await engine.connection.connect({ server, key, keep: 'session' }, never);
if (!connected.ok) throw new Error(connected.error.code);
if (text !== undefined) {
  const added = only(await engine.note.add({ text, share: JSON.parse(share) as LinkSettings }), 'id');
  if (!added.ok) throw new Error(added.error.code);
}
for (const { id } of engine.state().queue.items) {
  const settled = await engine.queue.waitFor({ id, patienceMs: 3_600_000 }, never);
  if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
}
await engine.close();
