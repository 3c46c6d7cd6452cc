import { afterAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/server/problem.ts';
import { createPasswords } from '../../../src/server/sharing/passwords.ts';
import { browser, publish } from '../../support/server/items.ts';
import { type RunningServer, startServer } from '../../support/server/server.ts';

const PASSWORD = 'correct horse battery';
const started: RunningServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.stop())));

describe('Password hashes', () => {
  it('are Argon2id of at least 19 MiB and two passes, salted', async () => {
    const passwords = createPasswords();
    const [first, second] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, PASSWORD)).toBe(true);
    expect(await passwords.verify(first, `${PASSWORD}!`)).toBe(false);
  });
  it('are made a few at a time, and one too many is told to come back', async () => {
    const passwords = createPasswords({ atOnce: 1, waitingMax: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash(PASSWORD)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    for (const outcome of outcomes.slice(3)) {
      expect(outcome).toMatchObject({ reason: expect.any(ProblemError) });
      expect(outcome).toMatchObject({ reason: { code: 'UPLOAD_SERVER_BUSY', status: 503 } });
    }
    expect(await passwords.hash(PASSWORD)).toMatch(/^\$argon2id/);
  });
});

describe('Behind https', () => {
  it('the viewer cookie is Secure and bound to this host', async () => {
    const server = await startServer({ config: { web: { origin: 'https://share.example.org' } } });
    started.push(server);
    const item = await publish(server, server.person(), { password: PASSWORD });
    expect(item.url).toBe(`https://share.example.org/s/${item.id}`);
    const guest = browser(server);
    const { headers } = await guest.open(item.id, PASSWORD);
    expect(headers['set-cookie']).toMatch(
      /^__Host-viewer=[\w-]{22}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await guest.media(item.id)).status).toBe(200);
    const plain = guest.cookie().replace('__Host-', '');
    expect((await browser(server).media(item.id, { cookie: plain })).status).toBe(403);
  });
});
