/** Profiles and data folders written by earlier versions open unchanged (`scripts/earlier-data.ts` makes them). */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Content } from '../../src/api/content.ts';
import { runProgram } from '../../src/base/node/run-program.ts';
import { performCommand } from '../support/command-line.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Expected {
  readonly apiKey: string;
  readonly url: string;
  readonly served: readonly { readonly content: Content; readonly sha256: string }[];
  readonly items: readonly unknown[];
  readonly status: readonly unknown[];
  readonly settings: readonly unknown[];
}

const fixtures = globSync('test/fixtures/data-*.tar.gz', { cwd: resolve(import.meta.dirname, '../..') });

test('there are some', () => expect(fixtures).not.toEqual([]));

describe.each(fixtures.map((path) => [basename(path, '.tar.gz'), resolve(path)] as const))('%s', (name, archive) => {
  const folder = join(temporaryFolder('earlier-data'), name);
  let expected: Expected;
  beforeAll(async () => {
    mkdirSync(folder);
    await runProgram('tar', ['-C', folder, '-xzf', archive]);
    expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  });

  test.each([
    ['items', ['list']],
    ['status', ['status']],
    ['settings', ['config', 'get']],
  ] as const)('the profile has its %s', async (what, words) => {
    const { json } = await performCommand([...words, '--json', '--profile', join(folder, 'profile')]);
    expect(json()).toEqual(expected[what]);
  });

  test('the server serves every item as before', async () => {
    const server: RunningServer = await startServer({ data: join(folder, 'server') });
    try {
      const headers = { authorization: `Bearer ${expected.apiKey}` };
      const served = await Promise.all(
        expected.served.map(async ({ content: { id } }) => {
          const reply = await fetch(`${server.url}/api/v1/content/${id}`, { headers });
          const media = await fetch(`${server.url}/api/media/${id}`, { headers });
          const content = JSON.parse((await reply.text()).replaceAll(server.url, expected.url)) as Content;
          const sha256 = createHash('sha256')
            .update(await media.bytes())
            .digest('hex');
          return { content, sha256 };
        }),
      );
      expect(served).toEqual(expected.served);
      for (const { content } of expected.served)
        expect((await fetch(`${server.url}/s/${content.id}`)).status, content.title).toBe(200);
    } finally {
      await server.stop();
    }
  });
});
