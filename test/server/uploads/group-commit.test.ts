/**
 * A part counts only after its bytes and then its row are persisted (API decisions 1); waiting parts share one sync and
 * commit.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UploadId } from '../../../src/api/ids.ts';
import { openSqliteFile } from '../../../src/server/database/open-sqlite-file.ts';
import type { StagedObject } from '../../../src/server/storage/object-store-interface.ts';
import { createGroupCommit } from '../../../src/server/uploads/group-commit.ts';
import type { ConfirmedPart, UploadRow } from '../../../src/server/uploads/upload-store.ts';
import { openFiles } from '../../support/process-state.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const part = (index: number): ConfirmedPart => ({ uploadId: 'an upload' as UploadId, index, length: 1 });

/** Records events in order; the test ends the syncs. */
const recording = () => {
  const events: string[] = [];
  const syncs: PromiseWithResolvers<void>[] = [];
  const staged = (name: string): StagedObject => ({
    write: async () => {},
    sync: async () => {
      events.push(`sync ${name}`);
      const pending = Promise.withResolvers<void>();
      syncs.push(pending);
      await pending.promise;
      events.push(`synced ${name}`);
    },
    close: async () => {},
  });
  const store = {
    confirm: async (parts: readonly ConfirmedPart[]): Promise<readonly UploadRow[]> => {
      events.push(`commit ${parts.map(({ index }) => index).join(',')}`);
      return parts.map(({ index }) => ({ chunkCount: index }) as UploadRow);
    },
  };
  return { events, syncs, staged, store };
};

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('confirmations', () => {
  it('fault 9: sync the bytes, then commit the row, then answer', async () => {
    const { events, syncs, staged, store } = recording();
    const answer = createGroupCommit(store)
      .confirm(part(4), staged('a'))
      .then((row) => events.push(`answer ${row.chunkCount}`));
    await soon();
    expect(events).toEqual(['sync a']);
    syncs[0]?.resolve();
    await answer;
    expect(events).toEqual(['sync a', 'synced a', 'commit 4', 'answer 4']);
  });

  it('share the next sync and commit among all parts that came meanwhile, one sync for each file', async () => {
    const { events, syncs, staged, store } = recording();
    const confirmations = createGroupCommit(store);
    const [a, b] = [staged('a'), staged('b')];
    const answers = [confirmations.confirm(part(0), a)];
    await soon();
    answers.push(
      confirmations.confirm(part(1), a),
      confirmations.confirm(part(2), b),
      confirmations.confirm(part(3), a),
    );
    syncs[0]?.resolve();
    await answers[0];
    await soon();
    for (const sync of syncs) sync.resolve();
    await Promise.all(answers);
    expect(events).toEqual([
      'sync a',
      'synced a',
      'commit 0',
      'sync a',
      'sync b',
      'synced a',
      'synced b',
      'commit 1,2,3',
    ]);
  });

  it('fault 9: record nothing for a file whose sync failed, and continue with the others', async () => {
    const { events, syncs, staged, store } = recording();
    const confirmations = createGroupCommit(store);
    const first = confirmations.confirm(part(0), staged('a'));
    await soon();
    const [bad, good] = [confirmations.confirm(part(1), staged('bad')), confirmations.confirm(part(2), staged('good'))];
    const outcome = expect(bad).rejects.toThrow('EIO');
    syncs[0]?.resolve();
    await first;
    await soon();
    syncs[1]?.reject(new Error('EIO'));
    syncs[2]?.resolve();
    await outcome;
    expect((await good).chunkCount).toBe(2);
    expect(events.filter((event) => event.startsWith('commit'))).toEqual(['commit 0', 'commit 2']);
  });

  it('answer every part of a commit that failed, and commit the next ones', async () => {
    const { syncs, staged, store } = recording();
    let broken = true;
    const confirmations = createGroupCommit({
      confirm: async (parts) => {
        if (broken) throw new Error('SQLITE_FULL');
        return await store.confirm(parts);
      },
    });
    const failed = confirmations.confirm(part(0), staged('a'));
    const outcome = expect(failed).rejects.toThrow('SQLITE_FULL');
    await soon();
    syncs[0]?.resolve();
    await outcome;
    broken = false;
    const next = confirmations.confirm(part(1), staged('a'));
    await soon();
    syncs[1]?.resolve();
    expect((await next).chunkCount).toBe(1);
  });
});

it('the database survives a power cut after every commit: WAL with synchronous=FULL', () => {
  const database = openSqliteFile(join(temporaryFolder('pragma'), 'a.sqlite'));
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
  expect(database.pragma('fullfsync', { simple: true })).toBe(1);
  expect(database.pragma('checkpoint_fullfsync', { simple: true })).toBe(1);
  expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
  database.pragma('user_version = 1000');
  const { name } = database;
  database.close();
  expect(() => openSqliteFile(name)).toThrow('written by a newer version');
  // Not only once the garbage collector has run.
  expect(openFiles().filter((path) => path.includes('pragma'))).toEqual([]);
});
