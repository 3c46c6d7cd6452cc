/** The try-out server, as the app starts it. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryOutFolder, tryOutStart } from '../../src/host/try-out-folder.ts';
import { startTryOutServer } from '../../src/host/try-out-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder('embedded');

it('accepts hundreds of changes in a minute from its user', async () => {
  const { server, key, close } = await startTryOutServer(join(folder, 'profile'));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  try {
    const statuses: number[] = [];
    for (let number = 1; number <= 300; number += 1) {
      const body = JSON.stringify({ text: `note ${number}`, format: 'plain' });
      const answer = await fetch(`${server}/api/v1/pastes`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(new Set(statuses)).toEqual(new Set([201]));
  } finally {
    await close();
  }
});

it('runs where its log cannot be written', async () => {
  const profile = join(folder, 'without-log');
  mkdirSync(join(tryOutFolder(profile), 'server.log'), { recursive: true });
  const { server, close } = await startTryOutServer(profile);
  expect((await fetch(server)).status).toBeLessThan(500);
  await close();
});

it('that could not start leaves its folder to the next attempt of the same program', async () => {
  const profile = join(folder, 'again');
  const inTheWay = `${tryOutStart(profile)}.new`;
  mkdirSync(inTheWay, { recursive: true });
  await expect(startTryOutServer(profile)).rejects.toThrow(inTheWay);
  rmdirSync(inTheWay);
  const { server, close } = await startTryOutServer(profile);
  expect((await fetch(server)).status).toBeLessThan(500);
  await close();
});
