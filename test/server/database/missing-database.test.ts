/** A data folder that has lost its database keeps its files until the operator has brought the database back. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ANY_BITRATE, mp4Bytes } from '../../support/media/sample-bytes.ts';
import { startServer } from '../../support/server/server.ts';
import { uploader } from '../../support/server/service-client.ts';
import { objectFiles, queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('is refused with a sentence, and serves as before with its database', async () => {
  const data = temporaryFolder('missing-records');
  const first = await startServer({ data, config: ANY_BITRATE });
  const user = await first.user();
  const { body } = await uploader(first.url, user).publish(await mp4Bytes(3 * 1024 * 1024));
  await expect.poll(() => queryData(data, 'SELECT 1 FROM content WHERE previewWanted = 1')).toEqual([]);
  await first.stop();
  const before = await objectFiles(data);
  const [database, backup] = [join(data, 'linkshot.sqlite'), join(data, 'backup')];
  renameSync(database, backup);
  await expect(startServer({ data })).rejects.toThrow('The records of the files in this data folder are missing');
  renameSync(backup, database);
  const second = await startServer({ data });
  const media = await fetch(`${second.url}/api/media/${body.content?.id}`, {
    headers: { authorization: `Bearer ${user.apiKey}` },
  });
  expect(media.status).toBe(200);
  await second.stop();
  expect(await objectFiles(data)).toEqual(before);
});
