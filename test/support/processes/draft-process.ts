/**
 * A process that draws on a screenshot and may be killed: `draft-process.ts PROFILE`. It takes a screenshot for the
 * editor, discards it with a drawing and prints "discarded", takes another, and then saves drawings with growing
 * `nextId`, which it prints once each is saved.
 */
import { paintScreen } from '../screen/painted-screen.ts';
import { drawing } from '../window/drawing.ts';
import { openBareEngine } from './bare-engine.ts';

const AREA = { x: 0, y: 0, width: 64, height: 48 };
const [profileDir = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const say = (word: string) => process.stdout.write(`${word}\n`);

const engine = await openBareEngine(profileDir, { capturer: paintScreen([AREA]) });
const take = async () => {
  await engine.capture.start({ mode: 'region', delaySeconds: 0 }, never);
  const { capture } = engine.state();
  if (capture?.state !== 'choosing') throw new Error(`The session is ${capture?.state}.`);
  await engine.capture.choose({ id: capture.id, area: AREA, way: 'edit' }, never);
  const editing = engine.state().capture;
  if (editing?.state !== 'editing') throw new Error('The picture is not with the editor.');
  return editing.id;
};
const keep = async (id: Awaited<ReturnType<typeof take>>, nextId: number) => {
  const draft = drawing(AREA);
  const basis = { by: 'process', read: null };
  const kept = await engine.capture.keepDraft({
    id,
    draft: { ...draft, drawing: { ...draft.drawing, nextId } },
    basis,
  });
  if (!kept.ok) throw new Error(kept.error.code);
};

const first = await take();
await keep(first, 1);
await engine.capture.cancel();
say(`discarded ${first}`);
const second = await take();
for (let nextId = 1; ; nextId += 1) {
  await keep(second, nextId);
  say(`kept ${nextId}`);
}
