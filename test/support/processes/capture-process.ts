/**
 * A process that captures and may be killed: `capture-process.ts PROFILE`. Repeatedly takes a screenshot for the editor
 * and prints "taken", publishes it from there and prints "finished"; it is not connected, so items stay in the queue.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { copyFile } from '../../../src/base/node/retrying-fs.ts';
import { only } from '../results.ts';
import { paintScreen } from '../screen/painted-screen.ts';
import { openBareEngine } from './bare-engine.ts';

const AREA = { x: 0, y: 0, width: 64, height: 48 };
const AFTER = { publish: true, copyPicture: false, save: false };
const [profileDir = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const say = (word: string) => process.stdout.write(`${word}\n`);

const engine = await openBareEngine(profileDir, { capturer: paintScreen([AREA]) });
for (let round = 0; ; round++) {
  await engine.capture.start({ mode: 'region', delaySeconds: 0 }, never);
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error(`The session is ${capture?.state}.`);
  const chosen = only(await engine.capture.choose({ id: capture.id, area: AREA, way: 'edit' }, never), 'item');
  const editing = engine.state().capture;
  if (!chosen.ok || editing?.state !== 'editing') throw new Error('The picture is not with the editor.');
  say(`taken ${editing.id}`);
  // Every other one is edited: the result is a different file.
  const picture = round % 2 === 0 ? null : join(engine.spoolDir, `${randomUUID()}.png`);
  if (picture !== null) await copyFile(engine.capture.picture(editing.id) ?? '', picture);
  const finished = only(
    await engine.capture.finish({ id: editing.id, picture, after: AFTER, share: {} }, never),
    'item',
  );
  if (!finished.ok) throw new Error(finished.error.code);
  say(`finished ${editing.id}`);
}
