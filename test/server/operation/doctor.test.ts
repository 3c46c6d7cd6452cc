/** `server doctor` names what fails, changes nothing, and works beside a running server. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runServerCommandLine } from '../../../src/server/command-line/run-server-command-line.ts';
import { describePosters } from '../../../src/server/operations/doctor.ts';
import { describeAbout } from '../../support/engines/only-on-engines.ts';
import { startServer } from '../../support/server/server.ts';
import { ask } from '../../support/server/service-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

const doctor = async (...args: readonly string[]) => {
  let report: Report | undefined;
  let complaint = '';
  const terminal = {
    print: (value: unknown) => {
      report = value as Report;
    },
    log: (line: string) => {
      complaint += line;
    },
    environment: {},
  };
  const code = await runServerCommandLine(['doctor', ...args], terminal);
  return { code, report, complaint, failed: report?.checks.filter(({ ok }) => !ok) ?? [] };
};

const allIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

describeAbout('SQLite', 'local files')('The doctor', () => {
  it('finds a running server in order and leaves its folder as it was', async () => {
    const service = await startServer();
    try {
      await service.user();
      const before = allIn(service.data);
      const { code, report } = await doctor('--data', service.data);
      expect(report?.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(code).toBe(0);
      const names = ['data folder', 'free space', 'database', 'object store', 'master key', 'objects', 'ffmpeg'];
      expect(report?.checks.map(({ name }) => name)).toEqual(names);
      expect(allIn(service.data)).toEqual(before);
    } finally {
      await service.stop();
    }
  });

  it('makes neither the folder nor a key before the first start', async () => {
    const data = join(temporaryFolder('doctor'), 'data');
    const { code, report } = await doctor('--data', data);
    expect(code).toBe(0);
    expect(report?.checks[0]?.detail).toContain('the first start creates it');
    expect([existsSync(data), existsSync(`${data}.key`)]).toEqual([false, false]);
  });

  it('names a wrong key, a missing key and a database of a newer version', async () => {
    const data = join(temporaryFolder('doctor'), 'data');
    await (await startServer({ data })).stop();
    const key = readFileSync(`${data}.key`, 'utf8');
    writeFileSync(`${data}.key`, Buffer.alloc(32, 7).toString('base64url'));
    const wrong = await doctor('--data', data);
    expect(wrong.code).toBe(1);
    expect(wrong.failed).toMatchObject([{ name: 'master key', detail: expect.stringContaining('is not the one') }]);
    writeFileSync(`${data}.key`, key);
    const database = new Database(join(data, 'linkshot.sqlite'));
    database.pragma('user_version = 999');
    database.close();
    const newer = await doctor('--data', data);
    expect(newer.failed).toMatchObject([{ name: 'database', detail: expect.stringContaining('newer version') }]);
  });

  it('names a data folder whose database is missing', async () => {
    const data = join(temporaryFolder('doctor'), 'data');
    const service = await startServer({ data });
    const { apiKey: key } = await service.user();
    const body = { text: 'A note', format: 'plain' };
    expect((await ask(service.url, { method: 'POST', path: '/api/v1/pastes', key, body })).status).toBe(201);
    await service.stop();
    rmSync(join(data, 'linkshot.sqlite'));
    const { code, failed } = await doctor('--data', data);
    expect([code, failed]).toMatchObject([
      1,
      [
        {
          name: 'object store',
          detail: expect.stringContaining('The records of the files in this data folder are missing'),
        },
      ],
    ]);
  });

  it('names a damaged database', async () => {
    const data = join(temporaryFolder('doctor'), 'data');
    await (await startServer({ data })).stop();
    writeFileSync(join(data, 'linkshot.sqlite'), Buffer.alloc(8_192, 'no database'));
    const { code, failed } = await doctor('--data', data);
    expect([code, failed.map(({ name }) => name)]).toEqual([1, ['database']]);
  });

  it('names an antivirus that does not answer, and a configuration that is not valid', async () => {
    const folder = temporaryFolder('doctor');
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ antivirus: { clamdSocket: join(folder, 'no.socket') } }));
    const { code, failed } = await doctor('--data', join(folder, 'data'), '--config', config);
    expect([code, failed.map(({ name }) => name)]).toEqual([1, ['antivirus']]);
    writeFileSync(config, JSON.stringify({ antivirus: { socket: 'x' } }));
    const invalid = await doctor('--data', join(folder, 'data'), '--config', config);
    expect(invalid).toMatchObject({ code: 1, complaint: 'Unknown configuration key "antivirus.socket".' });
  });

  it('names the codecs of which ffmpeg makes no posters, as it decodes them only by a graphics card', () => {
    const listing = (...names: readonly string[]): string =>
      ['Decoders:', ' V..... = Video', ' ------', ...names.map((name) => ` V....D ${name}     One (codec av1)`)].join(
        '\n',
      );
    const version = 'ffmpeg version 5.1.9 Copyright (c) 2000-2026 the FFmpeg developers\nbuilt with gcc 12';
    const codecs = ['h264', 'vp9', 'av1'];
    expect(describePosters(version, listing('h264', 'libvpx-vp9', 'libdav1d', 'av1'), codecs)).toBe(
      'ffmpeg version 5.1.9 makes posters of videos.',
    );
    const few = listing('h264_cuvid', 'vp9', 'av1', 'av1_cuvid');
    expect(describePosters(version, few, codecs)).toBe(
      'ffmpeg version 5.1.9 makes posters of videos, but none of h264, av1: it has no decoder in software for them.',
    );
    expect(describePosters(version, few, ['vp9'])).toBe('ffmpeg version 5.1.9 makes posters of videos.');
  });

  it('names a data folder that is a file', async () => {
    const data = join(temporaryFolder('doctor'), 'data');
    writeFileSync(data, 'a file');
    const { code, failed } = await doctor('--data', data);
    expect([code, failed[0]?.name]).toEqual([1, 'data folder']);
    expect(failed[0]?.detail).toContain('is a file');
  });
});
