/** A port of the try-out server that no other test gets while the server is stopped. */
import { readFileSync, writeFileSync } from 'node:fs';
import { tryOutStart } from '../../src/host/try-out-folder.ts';
import { freePort } from './free-port.ts';

/** From its next start on. It must have run in this profile before: each start revokes the key of the last one. */
export const giveTryOutOwnPort = async (profileDir: string): Promise<void> => {
  const path = tryOutStart(profileDir);
  const last = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...last, port: await freePort() }));
};
