/** User actions on a published item, and their results at the service, are recorded in its timeline. */
import { expect, it } from 'vitest';
import { fastClock } from '../../support/engine.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import { change, remove } from '../../support/server/items.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openScene, publishNote } from '../library/library-scenario.ts';

const PERSON: ReadonlySet<string> = new Set(['edited', 'changed', 'copied', 'deleted', 'undone']);
const root = temporaryFolder('library-timeline');

it('edits, settings, deletions and their undoing, each once', async () => {
  // Time is stopped: nothing becomes due before it is undone.
  const { engine } = await openScene(root, { ports: { clock: { ...fastClock, now: () => 1_800_000_000_000 } } });
  const { id } = await publishNote(engine, 'one\n');
  must(await engine.note.edit({ id, text: 'two\n', revision: 1 }, soon()));
  must(await engine.note.edit({ id, text: 'three\n', revision: 2 }, soon()));
  await engine.library.update({ ids: [id], change: { visibility: 'private', password: 'correct horse' } }, soon());
  await engine.library.delete({ ids: [id], when: 'after-undo' }, soon());
  // The user still has it open.
  await engine.library.delete({ ids: [id], when: 'longer' }, soon());
  engine.library.undelete({ ids: [id] });
  const byUser = must(engine.queue.timeline({ id })).events.filter(({ data }) => PERSON.has(data.kind));
  expect(byUser).toMatchObject([
    { data: { kind: 'edited', times: 2 } },
    { data: { kind: 'changed', change: { visibility: 'private' }, password: 'set' } },
    { data: { kind: 'deleted' } },
    { data: { kind: 'undone' } },
  ]);
  expect(JSON.stringify(must(engine.queue.timeline({ id })).events)).not.toContain('correct horse');
});

it('records nothing for a refused change', async () => {
  const { engine, service, user } = await openScene(root);
  const { id, content } = await publishNote(engine, 'one\n');
  await change(service, user, content.id, { text: 'theirs\n', revision: 1 });
  expect(must(await engine.note.edit({ id, text: 'mine\n', revision: 1 }, soon()))).toMatchObject({
    outcome: 'conflict',
  });
  expect(must(engine.queue.timeline({ id })).events.filter(({ data }) => PERSON.has(data.kind))).toEqual([]);
});

it('that the service has it no more', async () => {
  const { engine, service, user } = await openScene(root);
  const { id, content } = await publishNote(engine, 'one\n');
  await remove(service, user, content.id);
  await engine.library.refresh({ ids: [id] }, soon());
  expect(must(engine.queue.timeline({ id })).events.at(-1)).toMatchObject({ data: { kind: 'gone' } });
});
