/** What the server acknowledges survives a power cut of it, or of its engines. */
import { expect } from 'vitest';
import { until } from '../support/engine.ts';
import { databaseUrlOf } from '../support/engines/engines.ts';
import { overtake } from '../support/engines/hold-transaction.ts';
import { itAbout } from '../support/engines/only-on-engines.ts';
import { holdSyncs } from '../support/server/held-disk.ts';
import { ENDLESS_TIMEOUTS, faultScenes, uploadsOf } from './scene.ts';

const scene = faultScenes();

/** An app that sends one part, whose bytes the disk or the store has and has not confirmed. */
const unconfirmed = async () => {
  const parts = await scene({ timeouts: ENDLESS_TIMEOUTS });
  const { proxy, service, user } = parts;
  const file = await parts.picture(1);
  const syncs = await holdSyncs();
  const id = await parts.add(file);
  await until(() => syncs.held() > 0);
  const answer = () => proxy.requests.find(({ operation }) => operation === 'part')?.answer;
  const upload = async () => (await uploadsOf(service.data, user.accountId))[0];
  return { ...parts, file, id, syncs, answer, upload };
};

itAbout('a store that waits on request')(
  'fault 9: a part is neither counted nor answered before its bytes are safe',
  async () => {
    const { syncs, answer, upload, linked, id, file, expectPublished } = await unconfirmed();
    expect([(await upload())?.receivedBytes, answer()]).toEqual([0, null]);
    syncs.release();
    await linked(id);
    expect([(await upload())?.receivedBytes, answer()?.status]).toEqual([file.size, 200]);
    await expectPublished(file);
  },
);

itAbout('PostgreSQL', 'a store that waits on request')(
  'fault 9: a part whose bytes are safe is not answered before its row is committed',
  async () => {
    const { service, syncs, answer, upload, linked, id, file, expectPublished } = await unconfirmed();
    const lock = ['SELECT 1 FROM "uploads" WHERE "id" = $1 FOR UPDATE', (await upload())?.id] as const;
    const finish = async (): Promise<void> => {
      syncs.release();
      await linked(id);
    };
    await overtake(await databaseUrlOf(service.data), [lock], finish, () => expect(answer()).toBe(null));
    expect(answer()?.status).toBe(200);
    await expectPublished(file);
  },
);
