/**
 * A process that runs an engine and may be killed: `engine-process.ts PROFILE SERVER KEY [FILE]`. It adds the file, or
 * goes on with what the profile holds, says "added" once the row is safe, and ends when the queue has nothing left.
 */
import { openBareEngine } from './bare-engine.ts';

const [profileDir = '', server = '', key = '', file] = process.argv.slice(2);
const never = new AbortController().signal;

const engine = await openBareEngine(profileDir);
if (file) {
  const added = await engine.add([{ source: { owner: 'person', path: file }, name: 'file.png' }]);
  if (!added.ok) throw new Error(added.error.code);
  process.stdout.write('added\n');
}
const connected = await engine.connect({ server, key, keep: 'session' }, never);
if (!connected.ok) throw new Error(connected.error.code);
for (const { id } of engine.state().queue.items) {
  const settled = await engine.settled(id, 3_600_000, never);
  if (!settled.ok) throw new Error(`${settled.error.code}: ${settled.error.detail}`);
}
await engine.close();
