/**
 * A process that runs an engine and may be killed: `engine-process.ts PROFILE SERVER KEY [FILE]`. It adds the file, or
 * resumes the queue of the profile, prints "added" once the row is persisted, and exits when the queue is empty.
 */
import { openBareEngine, publishWhatIsLeft } from './bare-engine.ts';

const [profileDir = '', server = '', key = '', file] = process.argv.slice(2);

const engine = await openBareEngine(profileDir);
if (file) {
  const added = await engine.queue.add([{ source: { owner: 'user', path: file }, name: 'file.png' }]);
  if (!added.ok) throw new Error(added.error.code);
  process.stdout.write('added\n');
}
await publishWhatIsLeft(engine, server, key);
