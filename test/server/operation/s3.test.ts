/**
 * A real server whose objects are in an S3 store: everything works as with files, a wrong setting stops the start with advice,
 * and while the store is away nothing is acknowledged that is not stored. The store is a strict double in this process.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Content } from '../../../src/api/content.ts';
import { runServerCommandLine } from '../../../src/server/command-line/run-server-command-line.ts';
import { parseConfig } from '../../../src/server/config/read-config.ts';
import { diagnose } from '../../../src/server/operations/doctor.ts';
import { eventually } from '../../support/eventually.ts';
import { zipOf } from '../../support/folder/forge-zip.ts';
import { ANY_BITRATE, longPngBytes, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { publish, read, ready, remove } from '../../support/server/items.ts';
import { badDay, isProbe, type S3Double, startS3Double } from '../../support/server/s3-double.ts';
import {
  type RunningServer,
  serverCommand,
  startServer,
  startServerProcess,
  type User,
} from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { sendFile } from '../../support/server/single-request-upload.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 ** 2;
const TOKEN = 'metrics-token';
const PLENTY = { ...ANY_BITRATE, limits: { requestsPerMinute: 100_000, guestRequestsPerMinute: 100_000 } };

let double: S3Double;
beforeAll(async () => {
  double = await startS3Double();
});
beforeEach(() => double.fault(() => null));
afterAll(() => double.close());

const settings = () => ({ ...PLENTY, objects: { s3: double.settings } });
const scratchOf = (data: string) => readdirSync(join(data, 'scratch'));
const media = async (server: RunningServer, user: User, id: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${server.url}/api/media/${id}`, {
    headers: { authorization: `Bearer ${user.apiKey}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('A server with its objects in S3', () => {
  let server: RunningServer;
  let owner: User;
  beforeAll(async () => {
    server = await startServer({ config: { ...settings(), metrics: { token: TOKEN } } });
    owner = await server.user({ plan: 'pro' });
  });
  afterAll(() => server.stop());
  const previewOf = async (id: string): Promise<string> => {
    const path = async () => (await read(server, owner, id)).body.previewUrl ?? '';
    await eventually(async () => expect(await path()).not.toBe(''));
    return await path();
  };

  it('publishes pictures, videos, notes and folders, makes previews, and leaves no object behind', async () => {
    const bytes = await longPngBytes(5 * MIB + 777);
    const picture = await publish(server, owner, {}, bytes);
    expect((await media(server, owner, picture.id)).bytes.equals(bytes)).toBe(true);

    const whole = await sendFile(server.url, { key: owner.apiKey, bytes });
    expect(whole.status).toBe(201);
    expect((await media(server, owner, whole.body.content.id)).bytes.equals(bytes)).toBe(true);

    const film = await mp4Bytes(6 * MIB + 55);
    const video = await publish(server, owner, {}, film);
    await ready(server, owner, video.id);
    for (const [start, end] of [
      [0, 0],
      [2 * MIB - 1, 2 * MIB],
      [3 * MIB, 5 * MIB + 9],
      [film.length - 5, film.length - 1],
    ] as const) {
      const part = await media(server, owner, video.id, { range: `bytes=${start}-${end}` });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${film.length}`]);
      expect(part.bytes.equals(film.subarray(start, end + 1))).toBe(true);
    }

    const note = await ask<{ content: Content }>(server.url, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
      body: { text: 'package main\n', format: 'code', language: 'go' },
    });
    expect(note.status).toBe(201);
    const text = await ask<{ text: string }>(server.url, {
      path: `/api/v1/content/${note.body.content.id}/text`,
      key: owner.apiKey,
    });
    expect(text.body.text).toBe('package main\n');

    const folder = await sendFile(server.url, {
      ...{ path: '/api/v1/folders', key: owner.apiKey, filename: 'project.zip' },
      bytes: zipOf({ 'project/a.ts': 'console.log(1);\n' }),
    });
    expect([folder.status, folder.body.folder?.files]).toEqual([201, 1]);

    const preview = await fetch(`${server.url}${await previewOf(picture.id)}`, {
      headers: { authorization: `Bearer ${owner.apiKey}` },
    });
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/webp']);
    await previewOf(whole.body.content.id);

    expect(scratchOf(server.data)).toEqual([]);
    expect(double.objects.size).toBeGreaterThan(10);
    for (const { id } of [picture, whole.body.content, video, note.body.content, folder.body.content]) {
      expect((await remove(server, owner, id)).status).toBe(204);
    }
    await eventually(async () => expect(await queryData(server.data, 'SELECT id FROM objects')).toEqual([]));
    expect(double.objectKeys()).toEqual([]);
  });

  it('fetches one file of an account at a time for its inspection, however many it completes at once', async () => {
    const user = await server.user({ plan: 'pro' });
    const api = uploader(server.url, user);
    const film = await mp4Bytes(3 * MIB);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await api.send(film));
    const released = Promise.withResolvers<void>();
    const fetched = new Set<string>();
    double.fault((method, key) => {
      if (method !== 'GET' || isProbe(key)) return null;
      fetched.add(key.split('/').at(-2) ?? '');
      return { kind: 'hold', until: released.promise };
    });
    const completed = Promise.all(ids.map((id) => api.complete(id, randomUUID())));
    const completing = `SELECT 1 FROM uploads WHERE state = 'COMPLETING'`;
    await expect.poll(() => queryData(server.data, completing)).toHaveLength(ids.length);
    await expect.poll(() => fetched.size).toBe(1);
    expect(scratchOf(server.data)).toHaveLength(1);
    released.resolve();
    double.fault(() => null);
    const items = await completed;
    expect(items.map(({ status }) => status)).toEqual(ids.map(() => 200));
    for (const { body } of items) expect((await remove(server, user, body.content?.id ?? '')).status).toBe(204);
    await eventually(async () => expect(await queryData(server.data, 'SELECT id FROM objects')).toEqual([]));
  });

  it('leaves nothing of a cancelled upload, also when a part was on its way', async () => {
    const bytes = await longPngBytes(4 * MIB);
    const api = uploader(server.url, owner);
    const { id } = (await api.start(bytes)).body;
    const parts = partsOf(bytes).map((part, index) => api.part(id, index, part).catch(() => null));
    await parts[0];
    await api.cancel(id);
    await Promise.all(parts);
    await eventually(async () => expect(await queryData(server.data, 'SELECT id FROM objects')).toEqual([]));
    expect(double.objectKeys()).toEqual([]);
  });

  it('answers 503 with Retry-After while the store is away, and goes on by itself', async () => {
    const bytes = await longPngBytes(3 * MIB);
    const item = await publish(server, owner, {}, bytes);
    await previewOf(item.id);
    const api = uploader(server.url, owner);
    const [first = Buffer.alloc(0)] = partsOf(bytes);
    const { id } = (await api.start(bytes)).body;

    double.fault(() => ({ kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 7 }));
    const [part, file, reading] = await Promise.all([
      api.part(id, 0, first),
      sendFile(server.url, { key: owner.apiKey, bytes }),
      media(server, owner, item.id),
    ]);
    for (const { status, headers } of [part, file]) expect([status, headers['retry-after']]).toEqual([503, '7']);
    expect([reading.status, reading.headers.get('retry-after')]).toEqual([503, '7']);
    expect((await api.status(id)).body.received).toEqual([]);

    double.fault(() => ({ kind: 'drop' }));
    expect((await api.part(id, 0, first)).status).toBe(503);
    const { status: removed } = await remove(server, owner, item.id);
    expect(removed).toBe(204);

    double.fault(() => null);
    for (const [index, each] of partsOf(bytes).entries()) expect((await api.part(id, index, each)).status).toBe(200);
    const done = await api.complete(id, randomUUID());
    expect(done.status).toBe(200);
    expect((await media(server, owner, done.body.content?.id ?? '')).bytes.equals(bytes)).toBe(true);
    await previewOf(done.body.content?.id ?? '');
    await remove(server, owner, done.body.content?.id ?? '');
    await eventually(async () => expect(double.objectKeys()).toEqual([]));
  });

  it('answers the page of a note and of a folder with 503 and Retry-After while the store is away', async () => {
    const note = await ask<Content>(server.url, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
      body: { text: 'A note', format: 'plain' },
    });
    const folder = await sendFile(server.url, {
      ...{ path: '/api/v1/folders', key: owner.apiKey, filename: 'project.zip' },
      bytes: zipOf({ 'project/a.ts': 'console.log(1);\n' }),
    });
    const ids = [note.body.id, folder.body.content.id];
    double.fault(() => ({ kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 7 }));
    for (const id of ids) {
      const { status, headers } = await fetch(`${server.url}/s/${id}`);
      expect([status, headers.get('retry-after')]).toEqual([503, '7']);
    }
    double.fault(() => null);
    for (const id of ids) {
      expect((await fetch(`${server.url}/s/${id}`)).status).toBe(200);
      await remove(server, owner, id);
    }
    await eventually(async () => expect(double.objectKeys()).toEqual([]));
  });

  it('logs no error of its own when a reader leaves before the page of a note is read', async () => {
    const note = await ask<Content>(server.url, {
      ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
      body: { text: 'A note', format: 'plain' },
    });
    const released = Promise.withResolvers<void>();
    const leaving = new AbortController();
    double.fault((method, key) => {
      if (method !== 'GET' || isProbe(key)) return null;
      leaving.abort();
      return { kind: 'hold', until: released.promise };
    });
    const before = server.logged.length;
    await expect(fetch(note.body.url, { signal: leaving.signal })).rejects.toThrow('aborted');
    const open = async () => {
      const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
      return /^linkshot_reads_open (\d+)$/m.exec(await metrics.text())?.[1];
    };
    await expect.poll(open).toBe('0');
    released.resolve();
    double.fault(() => null);
    await remove(server, owner, note.body.id);
    expect(server.logged.slice(before).join('\n')).not.toContain('Error');
  });

  it.each([
    ['has no space left', 507, 'InsufficientStorage'],
    ['has reached the quota of the bucket', 403, 'QuotaExceeded'],
  ])('answers 503 with Retry-After while the store %s, and goes on when there is space', async (_, refusal, code) => {
    const bytes = await longPngBytes(3 * MIB);
    const api = uploader(server.url, owner);
    const [first = Buffer.alloc(0)] = partsOf(bytes);
    const { id } = (await api.start(bytes)).body;
    double.fault((method) => (method === 'PUT' ? { kind: 'refuse', status: refusal, code } : null));
    const body = { text: 'A note', format: 'plain' };
    const note = { method: 'POST', path: '/api/v1/pastes', key: owner.apiKey, body } as const;
    const answers = [
      await api.part(id, 0, first),
      await sendFile(server.url, { key: owner.apiKey, bytes }),
      await ask(server.url, note),
    ];
    for (const { status, problem, headers } of answers) {
      expect([status, problem.code, headers['retry-after']]).toEqual([503, 'UPLOAD_SERVER_BUSY', '60']);
    }
    double.fault(() => null);
    for (const [index, each] of partsOf(bytes).entries()) expect((await api.part(id, index, each)).status).toBe(200);
    const done = await api.complete(id, randomUUID());
    expect(done.status).toBe(200);
    await previewOf(done.body.content?.id ?? '');
    await remove(server, owner, done.body.content?.id ?? '');
    await eventually(async () => expect(double.objectKeys()).toEqual([]));
  });

  it.each([
    ['the key was revoked', 'InvalidAccessKeyId', 'correct objects.s3.accessKeyId'],
    ['the clock is wrong', 'RequestTimeTooSkewed', 'The clock of this computer differs'],
  ])(
    'answers 503 with Retry-After while the store refuses it because %s, and logs what to do',
    async (_, code, advice) => {
      const bytes = await longPngBytes(80_000);
      const item = await publish(server, owner, {}, bytes);
      await previewOf(item.id);
      const api = uploader(server.url, owner);
      const { id } = (await api.start(bytes)).body;
      double.fault(() => ({ kind: 'refuse', status: 403, code }));
      const answers = [
        await api.part(id, 0, partsOf(bytes)[0] ?? bytes),
        await sendFile(server.url, { key: owner.apiKey, bytes }),
        await ask(server.url, {
          ...{ method: 'POST', path: '/api/v1/pastes', key: owner.apiKey },
          body: { text: 'A note', format: 'plain' },
        }),
      ];
      for (const { status, problem, headers } of answers)
        expect([status, problem.code, headers['retry-after']]).toEqual([503, 'UPLOAD_SERVER_BUSY', '60']);
      const ready = async () => (await fetch(`${server.url}/readyz`)).status;
      // A probe that went well counts for some seconds.
      await expect.poll(ready, { interval: 500 }).toBe(503);
      expect(server.logged.join()).toContain(`The storage does not answer: `);
      expect(server.logged.join()).toContain(advice);
      expect(server.logged.join()).toContain(`(403 ${code})`);
      double.fault(() => null);
      expect(await ready()).toBe(200);
      expect((await api.part(id, 0, partsOf(bytes)[0] ?? bytes)).status).toBe(200);
      expect((await api.cancel(id)).status).toBeLessThan(300);
      await remove(server, owner, item.id);
      await eventually(async () => expect(double.objectKeys()).toEqual([]));
    },
  );

  it('gives whole bytes on bad days: lost answers, a busy store and cut bodies', async () => {
    double.fault(badDay());
    const bytes = await longPngBytes(5 * MIB + 1);
    const item = await publish(server, owner, {}, bytes);
    expect((await media(server, owner, item.id)).bytes.equals(bytes)).toBe(true);
    await previewOf(item.id);
    await remove(server, owner, item.id);
    await eventually(async () => expect(double.objectKeys()).toEqual([]));
  });

  it('shows the store in /readyz and in the metrics, and never its credentials', async () => {
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    const { requests } = double;
    const writes = () => requests.filter((request) => request.startsWith('PUT'));
    // The result of a probe counts for some seconds, which begin with this one.
    const isProbed = async (): Promise<boolean> => {
      requests.length = 0;
      return (await ready()) === 200 && writes().length > 0;
    };
    await expect.poll(isProbed).toBe(true);
    requests.length = 0;
    expect([await ready(), await ready(), await ready()]).toEqual([200, 200, 200]);
    expect(writes()).toEqual([]);
    const text = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
    expect(text).toMatch(/^linkshot_s3_request_duration_seconds_count\{operation="put",outcome="200"\} [1-9]/m);
    expect(text).toMatch(/^linkshot_s3_request_duration_seconds_count\{operation="get",outcome="503"\} [1-9]/m);
    for (const seen of [text, server.logged.join('\n')]) {
      expect(seen).not.toContain(double.settings.secretAccessKey);
      expect(seen).not.toContain(double.settings.accessKeyId);
    }
  });
});

it('keeps acknowledged parts over a kill, and sweeps what the killed server has left', async () => {
  // Other records.
  double.objects.clear();
  const data = join(temporaryFolder('s3-kill'), 'data');
  const { id: accountId } = await serverCommand('account', 'add', 'k', '--plan', 'pro', '--data', data);
  const { apiKey = '' } = await serverCommand(
    ...['key', 'add', '--account', 'k', '--scopes', 'content:read,content:write,content:delete', '--data', data],
  );
  const user = { accountId, apiKey } as unknown as User;
  const bytes = await longPngBytes(7 * MIB + 3);
  const parts = partsOf(bytes);
  const [first = Buffer.alloc(0)] = parts;

  let service = await startServerProcess(data, { config: settings() });
  try {
    const { id } = (await uploader(service.url, user).start(bytes)).body;
    expect((await uploader(service.url, user).part(id, 0, first)).status).toBe(200);
    // A whole file stops half-way: its first chunk is stored, and its second one never ends.
    const held = Promise.withResolvers<void>();
    const chunks = new Set<string>();
    double.fault((method, key) => {
      if (method === 'PUT') chunks.add(key);
      if (chunks.size >= 2) held.resolve();
      return chunks.size >= 2 ? { kind: 'drop' } : null;
    });
    const lost = sendFile(service.url, { key: apiKey, bytes }).catch(() => null);
    await held.promise;
    await service.end('SIGKILL');
    await lost;
    double.fault(() => null);
    mkdirSync(join(data, 'scratch'), { recursive: true });
    writeFileSync(join(data, 'scratch', 'left-behind'), 'ciphertext');

    service = await startServerProcess(data, { config: settings() });
    expect(scratchOf(data)).toEqual([]);
    const api = uploader(service.url, user);
    expect((await api.status(id)).body.received).toEqual([0]);
    for (const index of parts.keys()) {
      if (index > 0) expect((await api.part(id, index, parts[index] ?? first)).status).toBe(200);
    }
    const { body } = await api.complete(id, randomUUID());
    const item = body.content?.id ?? '';
    const answer = await fetch(`${service.url}/api/media/${item}`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const gone = await ask(service.url, { method: 'DELETE', path: `/api/v1/content/${item}`, key: apiKey });
    expect(gone.status).toBe(204);
    await eventually(async () => expect(double.objectKeys()).toEqual([]));
  } finally {
    await service.end('SIGTERM');
  }
});

describe('A start', () => {
  const failure = async (s3: object): Promise<string> => {
    const started = await startServer({ config: { objects: { s3: { ...double.settings, ...s3 } } } }).then(
      (server) => server.stop().then(() => 'started'),
      (error: unknown) => (error as Error).message,
    );
    expect(started).not.toContain(double.settings.secretAccessKey);
    return started;
  };

  it.each<[string, object, RegExp]>([
    [
      'an unknown bucket',
      { bucket: 'missing' },
      /has no bucket missing \(put: 404 NoSuchBucket\); create it, or correct objects\.s3\.bucket\.$/,
    ],
    [
      'an unknown key',
      { accessKeyId: 'UNKNOWN' },
      /does not know the access key .* correct objects\.s3\.accessKeyId\.$/,
    ],
    [
      'a wrong secret',
      { secretAccessKey: 'wrong' },
      /refuses the signature .* correct objects\.s3\.secretAccessKey\.$/,
    ],
    ['a wrong region', { region: 'us-east-1' }, /is not in the region us-east-1 .* correct objects\.s3\.region\.$/],
    [
      'an address where nothing listens',
      { endpoint: 'http://127.0.0.1:9' },
      /^The object store 127\.0\.0\.1:9 does not answer \(put: ECONNREFUSED\); check objects\.s3\.endpoint/,
    ],
    [
      'an address without an S3 store',
      { endpoint: 'http://127.0.0.1:9/', pathStyle: false, bucket: 'no.such.host.invalid' },
      /does not answer/,
    ],
  ])('with %s is refused with what to do', async (_name, wrong, message) => {
    expect(await failure(wrong)).toMatch(message);
  });

  it.each([
    ['PUT', 'written'],
    ['GET', 'read'],
    ['DELETE', 'removed'],
  ])('is refused when the key may not %s', async (refused, word) => {
    double.fault((method) => (method === refused ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : null));
    const message = await failure({});
    expect(message).toContain(`nothing can be ${word} below "some/prefix"`);
    expect(message).toContain('permit the access key to put, get and delete objects there.');
    double.objects.clear();
  });

  it('works while the store has no space left, and the doctor names it', async () => {
    double.fault((method) => (method === 'PUT' ? { kind: 'refuse', status: 507, code: 'InsufficientStorage' } : null));
    const data = join(temporaryFolder('s3-full'), 'data');
    const server = await startServer({ data, config: settings() });
    expect((await ask(server.url, { path: '/readyz' })).status).toBe(200);
    await server.stop();
    const checks = await diagnose({ data, config: parseConfig(settings()), keyText: null });
    const store = checks.find(({ name }) => name === 'object store');
    expect(store?.detail).toContain('has no space left for the bucket linkshot-test (put: 507 InsufficientStorage)');
    expect(store?.ok).toBe(false);
  });

  it('is refused on a data folder that belongs to the other store, and the doctor says so', async () => {
    const failed = async (data: string, config: Parameters<typeof parseConfig>[0]) =>
      (await diagnose({ data, config: parseConfig(config), keyText: null })).filter(({ ok }) => !ok);
    const inFiles = join(temporaryFolder('s3-guard'), 'data');
    const local = await startServer({ data: inFiles });
    await publish(local, await local.user(), {}, await pngBytes());
    await local.stop();
    const hasFiles = 'This data folder has its files in itself; start without objects.s3';
    await expect(startServer({ data: inFiles, config: settings() })).rejects.toThrow(hasFiles);
    expect(await failed(inFiles, settings())).toMatchObject([
      { name: 'object store', detail: expect.stringContaining(hasFiles) },
    ]);
    expect(await failed(inFiles, {})).toEqual([]);

    const inS3 = join(temporaryFolder('s3-guard'), 'data');
    const remote = await startServer({ data: inS3, config: settings() });
    const owner = await remote.user();
    const item = await publish(remote, owner, {}, await pngBytes());
    await remote.stop();
    const isInS3 = 'The files of this data folder are in an S3 store; configure objects.s3 as before';
    await expect(startServer({ data: inS3 })).rejects.toThrow(isInS3);
    expect(await failed(inS3, {})).toMatchObject([{ name: 'object store', detail: expect.stringContaining(isInS3) }]);
    const again = await startServer({ data: inS3, config: settings() });
    expect((await media(again, owner, item.id)).status).toBe(200);
    await again.stop();
    double.objects.clear();
  });
});

describe('The doctor of a server with S3', () => {
  const doctor = async (data: string, s3: object) => {
    const path = join(temporaryFolder('s3-doctor'), 'config.json');
    writeFileSync(path, JSON.stringify({ objects: { s3 } }));
    let report: { checks: { name: string; ok: boolean; detail: string }[] } | undefined;
    const print = (value: unknown): void => {
      report = value as typeof report;
    };
    const terminal = { print, log: () => {}, environment: {} };
    const code = await runServerCommandLine(['doctor', '--data', data, '--config', path], terminal);
    return { code, checks: report?.checks ?? [] };
  };

  it('writes, reads and inspects an object there, and names the call that fails', async () => {
    const data = join(temporaryFolder('s3-doctor'), 'data');
    const before = await doctor(data, double.settings);
    expect(before.checks.map(({ name }) => name)).toContain('object store');
    expect(existsSync(data)).toBe(false);
    await (await startServer({ data, config: settings() })).stop();
    const fine = await doctor(data, double.settings);
    expect(fine.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(fine.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['object store', 'objects']));
    expect(double.objectKeys()).toEqual([]);
    double.fault((method) => (method === 'DELETE' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : null));
    const broken = await doctor(data, double.settings);
    expect(broken.code).toBe(1);
    expect(broken.checks.filter(({ ok }) => !ok)).toMatchObject([
      { name: 'object store', detail: expect.stringContaining('nothing can be removed') },
    ]);
    double.objects.clear();
  });

  it('leaves nothing in the temporary folder, also where the store refuses an object', async () => {
    const data = join(temporaryFolder('s3-doctor'), 'data');
    await (await startServer({ data, config: settings() })).stop();
    const own = temporaryFolder('s3-doctor-tmp');
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const left = () => readdirSync(own).filter((name) => name.startsWith('linkshot-doctor-'));
    let puts = 0;
    const countUntil = (last: number) =>
      double.fault((method) => {
        if (method === 'PUT') puts += 1;
        return method === 'PUT' && puts === last ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : null;
      });
    countUntil(Number.POSITIVE_INFINITY);
    expect((await doctor(data, double.settings)).code).toBe(0);
    expect(left()).toEqual([]);
    // The object is written last.
    const last = puts;
    puts = 0;
    countUntil(last);
    const refused = await doctor(data, double.settings);
    expect(refused.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['objects']);
    expect(left()).toEqual([]);
    double.objects.clear();
  });
});
