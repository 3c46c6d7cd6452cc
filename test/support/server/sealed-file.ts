/** Encrypts files for the parts of the server that read stored objects, with the server's own store. */
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createLocalObjects } from '../../../src/server/storage/local-objects.ts';
import type { ObjectId } from '../../../src/server/storage/object-store.ts';
import type { SealedFile } from '../../../src/server/storage/sealed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'linkshot-sealed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const objects = createLocalObjects(folder, createSecretKey(randomBytes(32)));

/** An encrypted copy of the file at `path`, gone when the test file is over. */
export const sealFile = async (path: string): Promise<SealedFile> => {
  const id = randomUUID() as ObjectId;
  const sink = await (await objects).stageStream(id);
  try {
    for await (const chunk of createReadStream(path)) await sink.append(chunk as Buffer);
    await sink.finish();
  } finally {
    await sink.close();
  }
  return await (await objects).sealedFile(id);
};
