/** Encrypts files with the server's own store, for the server modules that read stored objects. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileSource } from '../../../src/server/storage/file-source.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import type { SealedFile } from '../../../src/server/storage/sealed-reader.ts';
import { afterEveryFile } from '../ends.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openLocalObjects } from './local-objects.ts';

type Objects = ReturnType<typeof openLocalObjects>;
let opened: Objects | null = null;
afterEveryFile(() => {
  opened = null;
});
const objects = (): Objects => {
  opened ??= openLocalObjects(temporaryFolder('sealed'));
  return opened;
};

/** An encrypted copy of the file at `path`, removed after the test file. */
export const sealFile = async (path: string): Promise<SealedFile> => {
  const id = randomUUID() as ObjectId;
  const sink = await (await objects()).stageStream(id);
  try {
    for await (const chunk of createReadStream(path)) await sink.append(chunk as Buffer);
    await sink.finish();
  } finally {
    await sink.close();
  }
  return await (await objects()).withSealedFile(id, async (file) => file, new AbortController().signal);
};

/** The same for the inspector, which opens it by itself. */
export const sealedSource = async (path: string): Promise<FileSource & { readonly file: SealedFile }> => {
  const file = await sealFile(path);
  return { file, size: file.size, isFetched: false, open: (use) => use(file) };
};
