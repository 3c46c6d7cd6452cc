/** A server on each real S3 store: it publishes, serves ranges, checks the store, survives its end, and leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/server/config/read-config.ts';
import { checkObjects } from '../../src/server/operations/check-objects.ts';
import { diagnose } from '../../src/server/operations/doctor.ts';
import { isLong } from '../support/campaign.ts';
import { startCeph, whyNoCeph } from '../support/engines/ceph.ts';
import type { S3Store } from '../support/engines/s3-store.ts';
import { startSwift, whyNoSwift } from '../support/engines/swift.ts';
import { eventually } from '../support/eventually.ts';
import { ANY_BITRATE, longPngBytes, mp4Bytes } from '../support/media/sample-bytes.ts';
import { publish, ready, remove } from '../support/server/items.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { uploader } from '../support/server/service-client.ts';
import { queryData } from '../support/server/stored-bytes.ts';

const MIB = 1024 ** 2;
const STORES = [
  ['Ceph', startCeph, whyNoCeph()],
  ['Swift', startSwift, whyNoSwift()],
] as const;

for (const [name, start, whyNotHere] of STORES) {
  const whyNot = isLong ? whyNotHere : 'it takes half a minute; npm run test:stores';
  describe.skipIf(whyNot !== null)(`a server on ${name}${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
    let store: S3Store;
    let server: RunningServer;
    let user: User;
    beforeAll(async () => {
      store = await start();
      const s3 = { ...store.settings, prefix: 'some/prefix' };
      server = await startServer({ config: { ...ANY_BITRATE, objects: { s3 } } });
      user = await server.user({ plan: 'pro' });
    });
    afterAll(async () => {
      await server?.stop();
      await store?.remove();
    });
    const config = () => parseConfig({ ...ANY_BITRATE, objects: { s3: { ...store.settings, prefix: 'some/prefix' } } });
    const check = () => checkObjects({ data: server.data, config: config(), deleteOrphans: false, log: () => {} });
    const media = (id: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}/api/media/${id}`, { headers: { authorization: `Bearer ${user.apiKey}`, ...headers } });

    it('passes the doctor, publishes, serves ranges, and compares the store with its records', async () => {
      const checks = await diagnose({ data: server.data, config: config(), keyText: null });
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      const picture = await longPngBytes(5 * MIB + 777);
      const film = await mp4Bytes(6 * MIB + 55);
      const ids = [(await publish(server, user, {}, picture)).id, (await publish(server, user, {}, film)).id];
      for (const id of ids) await ready(server, user, id);
      const whole = await media(ids[0] ?? '');
      expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true);
      const range = await media(ids[1] ?? '', { range: `bytes=${2 * MIB - 3}-${4 * MIB + 9}` });
      expect(range.status).toBe(206);
      expect(Buffer.from(await range.arrayBuffer()).equals(film.subarray(2 * MIB - 3, 4 * MIB + 10))).toBe(true);
      await expect.poll(() => queryData(server.data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
      expect(await check()).toMatchObject({ ok: true, missing: { count: 0 }, orphans: { count: 0 } });
      for (const id of ids) expect((await remove(server, user, id)).status).toBe(204);
      await eventually(async () => expect(await check()).toMatchObject({ ok: true, objects: 0, storedBytes: 0 }));
    });

    it('says 503 while the store is dead, keeps every acknowledged part, and goes on when it is back', async () => {
      const bytes = await longPngBytes(6 * MIB);
      const api = uploader(server.url, user);
      const { id } = (await api.start(bytes)).body;
      const parts = [0, 1, 2].map((index) => bytes.subarray(index * 2 * MIB, (index + 1) * 2 * MIB));
      expect((await api.part(id, 0, parts[0] ?? bytes)).status).toBe(200);
      await store.kill();
      expect((await api.part(id, 1, parts[1] ?? bytes)).status).toBe(503);
      await store.start();
      for (const index of [1, 2])
        await eventually(async () => expect((await api.part(id, index, parts[index] ?? bytes)).status).toBe(200));
      const { body } = await api.complete(id, crypto.randomUUID());
      const answer = await media(body.content?.id ?? '');
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    });
  });
}
