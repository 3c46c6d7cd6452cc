/** The migration that renames stored values: every row keeps its meaning, and rows that cannot be read stay as they are. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/engine/node-ports.ts';
import { openDatabase } from '../../../src/engine/profile/database.ts';
import { MIGRATIONS } from '../../../src/engine/profile/migrations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BEFORE = 5;
const root = temporaryFolder('migrations');

const lost = { failure: { code: 'NETWORK_FAILED', detail: 'Reset.' }, since: 1, retryAt: 2 };
const item = (id: string, more: object) => ({ id, source: { owner: 'person', path: '/a' }, share: {}, ...more });
const ITEMS = [
  item('plain', { afterwards: null, trouble: null }),
  item('all', { awaited: true, afterwards: { viewLimit: 3, tags: ['trouble'] }, trouble: lost }),
  { ...item('spooled', { afterwards: null, trouble: null }), source: { owner: 'spool', path: 'person' } },
  { state: 'teleporting' },
];
const UNREADABLE = ['not JSON', '5', '[]', '"trouble"'];
const EVENTS = [
  { at: 1_795_397_997_646, fact: { kind: 'added', by: 'window', size: 9 } },
  { at: 2, fact: { kind: 'anew', from: 'source' } },
  { at: 3, fact: { kind: 'failed', failure: lost.failure, keptBytes: 0, size: 9, until: null, times: 1 } },
  { at: 4, fact: { kind: 'told', how: 'copied' } },
];
const CAPTURES = [
  { id: 'c1', fate: { is: 'editing' } },
  { id: 'c2', fate: { is: 'going', picture: '/p', after: { publish: true }, share: {} } },
];

const migrated = () => {
  const path = join(root, 'profile.sqlite');
  const old = new Database(path);
  for (const sql of MIGRATIONS.slice(0, BEFORE)) old.exec(sql);
  old.pragma(`user_version = ${BEFORE}`);
  const queue = old.prepare("INSERT INTO queue (id, name, position, created_at, item) VALUES (?, 'a', ?, 0, ?)");
  const rows = [...ITEMS.map((one) => JSON.stringify(one)), ...UNREADABLE];
  for (const [index, row] of rows.entries()) queue.run(`${index}`, index, row);
  const timeline = old.prepare('INSERT INTO timeline (item_id, events) VALUES (?, ?)');
  timeline.run('0', JSON.stringify(EVENTS));
  for (const [index, row] of [...UNREADABLE, '["told"]'].entries()) timeline.run(`odd ${index}`, row);
  const fact = old.prepare('INSERT INTO facts (name, value) VALUES (?, ?)');
  fact.run('captures', JSON.stringify(CAPTURES));
  fact.run('undrawn', '["1"]');
  fact.run('unpublished_note', '{"text":"a"}');
  fact.run('unpublished_note_2', '{"text":"b"}');
  fact.run('settings', '{"fate":"stays"}');
  old.prepare("INSERT INTO abandoned VALUES ('u', 'a', 7)").run();
  old.close();
  const opened = openDatabase(path, systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value.database;
};

it('is synced past the cache of the drive, where a system has a call for that', () => {
  const opened = openDatabase(join(root, 'new.sqlite'), systemClock);
  if (!opened.ok) throw new Error(opened.error.detail);
  const { database } = opened.value;
  const pragmas = ['fullfsync', 'checkpoint_fullfsync'].map((name) => database.pragma(name, { simple: true }));
  database.close();
  expect(pragmas).toEqual([1, 1]);
});

it('renames the stored names of a profile of version 0.1.0 and changes nothing else', () => {
  const database = migrated();
  const all = (sql: string): readonly unknown[] => database.prepare<[], string>(sql).pluck().all();
  const items = all('SELECT item FROM queue ORDER BY position');
  expect(items.slice(0, ITEMS.length).map((row) => JSON.parse(row as string) as unknown)).toEqual([
    { id: 'plain', source: { owner: 'user', path: '/a' }, share: {}, postPublish: null, error: null },
    {
      ...{ id: 'all', source: { owner: 'user', path: '/a' }, share: {} },
      ...{ printPending: true, postPublish: { viewLimit: 3, tags: ['trouble'] }, error: lost },
    },
    { id: 'spooled', source: { owner: 'spool', path: 'person' }, share: {}, postPublish: null, error: null },
    { state: 'teleporting' },
  ]);
  expect(items.slice(ITEMS.length)).toEqual(UNREADABLE);

  const [events, ...odd] = all('SELECT events FROM timeline ORDER BY item_id');
  expect(JSON.parse(events as string)).toEqual([
    { at: 1_795_397_997_646, data: { kind: 'added', by: 'window', size: 9 } },
    { at: 2, data: { kind: 'restarted', from: 'source' } },
    { at: 3, data: { kind: 'failed', failure: lost.failure, keptBytes: 0, size: 9, until: null, times: 1 } },
    { at: 4, data: { kind: 'delivered', how: 'copied' } },
  ]);
  expect(odd).toEqual([...UNREADABLE, '["told"]']);

  const values = database
    .prepare<[], { name: string; value: string }>('SELECT name, value FROM persisted_values')
    .all()
    .map(({ name, value }) => [name, JSON.parse(value) as unknown]);
  expect(Object.fromEntries(values)).toEqual({
    captures: [
      { id: 'c1', status: { is: 'editing' } },
      { id: 'c2', status: { is: 'going', picture: '/p', after: { publish: true }, share: {} } },
    ],
    missingThumbnails: ['1'],
    newNoteDraft: { text: 'a' },
    newNoteDraft_2: { text: 'b' },
    settings: { fate: 'stays' },
  });
  expect(database.prepare('SELECT * FROM orphaned_uploads').all()).toEqual([
    { upload_id: 'u', account_id: 'a', orphaned_at: 7 },
  ]);
  database.close();
});
