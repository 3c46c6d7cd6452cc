/** `linkshot list --in-pictures` with the real recognition: finds published pictures by the words in them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { itWith } from '../support/only-on.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { drawText } from '../support/vision/text-pictures.ts';

itWith('programs of Linux')(
  'reads what was published, finds it by the start of a word in both languages, and sends nothing for it',
  async () => {
    const root = temporaryFolder('cli-in-pictures');
    const server = await startServer();
    const { apiKey } = await server.user();
    const profile = ['--profile', join(root, 'profile')];
    const draw = async (name: string, ...lines: readonly string[]): Promise<string> => {
      const path = join(root, name);
      writeFileSync(path, await drawText({ lines, font: 'DejaVu Sans', size: 18, theme: 'light', scale: 1 }));
      return path;
    };
    const english = await draw('one.png', 'Quarterly invoice', 'Total 1284');
    const russian = await draw('two.png', 'Настройки библиотеки');
    const sent = await performCommand(['upload', english, russian, '--json', ...profile, '--server', server.url], {
      LINKSHOT_KEY: apiKey,
    });
    const [first, second] = sent.json().map(({ id }) => id);
    await server.stop();
    const list = async (...words: readonly string[]) => {
      const { code, json } = await performCommand(['list', ...words, '--json', ...profile]);
      return { code, ids: json().map(({ id }) => id) };
    };
    expect(await list('--in-pictures', 'INVO')).toEqual({ code: 0, ids: [first] });
    expect(await list('--in-pictures', 'библ')).toEqual({ code: 0, ids: [second] });
    expect(await list('--in-pictures', 'total quarterly')).toEqual({ code: 0, ids: [first] });
    expect(await list('invoice')).toEqual({ code: 0, ids: [first] });
    expect(await list('--in-pictures', 'nothing')).toEqual({ code: 0, ids: [] });
    await performCommand(['config', 'set', 'findInPictures', 'false', ...profile]);
    const off = await performCommand(['list', '--in-pictures', 'invoice', ...profile]);
    expect(off).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('findInPictures') });
  },
);
