/** An intermediary replies instead of the service: a captive portal, a proxy, a cache, a wrong certificate. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectTo, until, wait } from '../support/engine.ts';
import { soon } from '../support/poll-timeouts.ts';
import { must } from '../support/results.ts';
import { certificate } from './certificate.ts';
import type { Fault, Operation } from './fault.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { faultScenes, PATIENCE, SHORT_TIMEOUTS, sceneOf } from './scene.ts';

const scene = faultScenes();

const STEPS: readonly Operation[] = ['start', 'part', 'complete'];
const html = (status: number, headers: Record<string, string> = {}): Fault => ({
  do: 'answer',
  status,
  headers: { 'content-type': 'text/html', ...headers },
  body: '<!doctype html><title>Sign in to Wi-Fi</title>',
});

describe('a captive portal', () => {
  it.each(STEPS)('fault 33: its page with status 200 instead of %s does not count as success', async (step) => {
    const { proxy, picture, add, linked, errorOf, expectPublished } = await scene();
    let isOpen = false;
    proxy.fault = ({ operation }) => (operation === step && !isOpen ? html(200) : null);
    const file = await picture(1);
    const id = await add(file);
    await until(() => errorOf(id) === 'NOT_THE_SERVICE');
    await expectPublished();
    isOpen = true;
    await linked(id);
    await expectPublished(file);
  });

  it('fault 33: its page instead of the account does not count as a connection', async () => {
    const { proxy, engine, user } = await scene({ connect: 'later' });
    proxy.fault = () => html(200);
    const connected = await engine.connection.connect({ server: proxy.url, key: user.apiKey, keep: 'store' }, soon());
    expect(connected).toMatchObject({ ok: false, error: { code: 'NOT_THE_SERVICE' } });
    expect(engine.state().connection).toEqual({ state: 'none' });
  });

  it.each([301, 302, 303, 307, 308])(
    'fault 33: its redirect %i to another host is refused, and the key never follows',
    async (status) => {
      const { proxy, picture, add, engine, linked, expectPublished } = await scene();
      const elsewhere = await startFaultProxy('http://127.0.0.1:1');
      onTestFinished(() => elsewhere.close());
      elsewhere.fault = () => html(200);
      proxy.fault = ({ operation }) =>
        operation === 'start' ? html(status, { location: `${elsewhere.url}/login` }) : null;
      const file = await picture(1);
      const id = await add(file);
      expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
        ok: false,
        error: { code: 'REDIRECT_REFUSED', params: { target: elsewhere.url } },
      });
      expect(elsewhere.requests).toEqual([]);
      proxy.fault = () => null;
      // The service itself answers again: the item continues automatically.
      await engine.connection.refresh({}, soon());
      await linked(id);
      await expectPublished(file);
    },
  );

  it('fault 33: an answer about another upload is not used for this one', async () => {
    const { proxy, picture, add, errorOf, linked, expectPublished } = await scene();
    const other = { id: '00000000-0000-4000-8000-000000000000' };
    proxy.fault = ({ operation, nth }) =>
      operation === 'complete' && nth === 0
        ? {
            do: 'rewrite-answer',
            change: (answer) => ({ ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...other }) }),
          }
        : null;
    const file = await picture(1);
    const id = await add(file);
    await until(() => errorOf(id) === 'NOT_THE_SERVICE');
    await linked(id);
    await expectPublished(file);
  });
});

describe('a proxy', () => {
  it.each([
    [407, 'NOT_THE_SERVICE'],
    [502, 'INTERNAL'],
    [503, 'UPLOAD_SERVER_BUSY'],
    [504, 'INTERNAL'],
    [408, 'UPLOAD_STALLED'],
    [401, 'NOT_THE_SERVICE'],
    [403, 'NOT_THE_SERVICE'],
    [404, 'NOT_THE_SERVICE'],
  ] as const)(
    'fault 34: its own %i is retried, affects neither key nor upload, and its page is never shown',
    async (status, code) => {
      const { proxy, picture, add, linked, item, errorOf, engine, expectPublished } = await scene();
      let isOpen = false;
      proxy.fault = ({ operation, nth }) => {
        const isMet = operation === 'start' ? !isOpen : STEPS.includes(operation) && nth === 0;
        return isMet ? html(status) : null;
      };
      const file = await picture(1);
      const id = await add(file);
      await until(() => errorOf(id) === code);
      expect(item(id)).toMatchObject({ error: { retryAt: expect.any(Number), failure: { status } } });
      expect(item(id)?.error?.failure.detail).not.toContain('<');
      expect(engine.state().connection.state).toBe('connected');
      isOpen = true;
      await linked(id);
      await expectPublished(file);
    },
  );

  it('fault 34: its own 413 waits for the user, who can retry on another network', async () => {
    const { proxy, picture, add, engine, count, linked, expectPublished } = await scene();
    proxy.fault = ({ operation }) => (operation === 'part' ? html(413) : null);
    const file = await picture(1);
    const id = await add(file);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'UPLOAD_TOO_LARGE', status: 413 },
    });
    expect(count('part')).toBe(1);
    proxy.fault = () => null;
    engine.queue.retry({ ids: [id] });
    await linked(id);
    await expectPublished(file);
  });

  it('fault 34: its own 413 for a folder does not outlast the size of the folder when the user retries', async () => {
    const { proxy, engine, folder, item, errorOf, linked, published } = await scene();
    proxy.fault = ({ path }) => (path === '/api/v1/folders' ? html(413) : null);
    const path = join(folder, 'project');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'main.ts'), 'export {};\n');
    writeFileSync(join(path, 'large.txt'), 'text\n'.repeat(30_000));
    const [id] = must(await engine.queue.add([{ source: { owner: 'user', path }, name: 'project' }]));
    if (!id) throw new Error('It was not added.');
    await until(() => errorOf(id) === 'UPLOAD_TOO_LARGE');
    rmSync(join(path, 'large.txt'));
    proxy.fault = () => null;
    engine.queue.retry({ ids: [id] });
    await linked(id);
    expect(item(id)?.body?.made).toMatchObject({ selection: { files: 1 } });
    expect(await published()).toHaveLength(1);
  });

  /** An item of one request: its answer is lost, and until `isOpen` its repetition gets the page of a proxy. */
  const lostThenRefused = async (kind: 'picture' | 'folder') => {
    const parts = await scene();
    const { proxy, engine, folder, picture } = parts;
    const way = { isOpen: false };
    let posts = 0;
    proxy.fault = ({ method, path }) => {
      if (method !== 'POST' || !/^\/api\/v1\/(uploads|folders)$/.test(path)) return null;
      if (++posts === 1) return { do: 'lose-answer' };
      return way.isOpen ? null : html(413);
    };
    const path = join(kind === 'folder' ? folder : engine.spoolDir, kind);
    if (kind === 'folder') {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'main.ts'), 'export {};\n');
    } else copyFileSync((await picture(1)).path, path);
    const owner = kind === 'folder' ? 'user' : 'spool';
    const [id] = must(await engine.queue.add([{ source: { owner, path }, name: `${kind}.png` }]));
    if (!id) throw new Error('It was not added.');
    return { ...parts, id, way };
  };

  it.each(['picture', 'folder'] as const)(
    'fault 34: its own 413 after a lost answer publishes no %s twice when the user retries',
    async (kind) => {
      const { engine, errorOf, item, linked, published, id, way } = await lostThenRefused(kind);
      await until(() => errorOf(id) === 'UPLOAD_TOO_LARGE');
      expect(item(id)).toMatchObject({ state: 'posting', error: { retryAt: null } });
      way.isOpen = true;
      engine.queue.retry({ ids: [id] });
      await linked(id);
      expect(await published()).toHaveLength(1);
    },
  );

  it.each(['picture', 'folder'] as const)(
    'fault 34: its own 413 after a lost answer leaves no cancelled %s published',
    async (kind) => {
      const { engine, errorOf, item, published, id } = await lostThenRefused(kind);
      await until(() => errorOf(id) !== undefined);
      engine.queue.cancel({ ids: [id] });
      await until(
        () => item(id) === undefined,
        () => item(id),
      );
      expect(await published()).toEqual([]);
    },
  );

  it('fault 34: one that accepts a body immediately and forwards it slowly gets a longer time limit each time', async () => {
    const { proxy, picture, add, linked, expectPublished, count } = await scene({ timeouts: SHORT_TIMEOUTS });
    // Every part reaches the service later than the app would wait for it, however often it goes.
    proxy.fault = ({ operation }) =>
      operation === 'part' ? { do: 'store', until: wait(1.5 * SHORT_TIMEOUTS.replyMs) } : null;
    const file = await picture(1);
    await linked(await add(file));
    await expectPublished(file);
    expect(count('part')).toBeGreaterThan(1);
  });

  it('fault 34: one that buffers complete bodies changes nothing', async () => {
    const { proxy, picture, add, linked, expectPublished, count } = await scene();
    let release = () => {};
    proxy.fault = ({ operation, nth }) =>
      operation === 'part' && nth === 0
        ? { do: 'hold', until: new Promise<void>((resolve) => { release = resolve; }) } // biome-ignore format: one thought
        : null;
    const file = await picture(2);
    const id = await add(file);
    await until(() => count('part') === 1);
    release();
    await linked(id);
    await expectPublished(file);
  });
});

describe('a cache', () => {
  it('fault 36: every answer of the API forbids caching, and so does every request', async () => {
    const { proxy, picture, add, linked } = await scene();
    // An answer that is lost makes the app ask for the status.
    proxy.fault = ({ operation, nth }) => (operation === 'part' && nth === 0 ? { do: 'lose-answer' } : null);
    await linked(await add(await picture(2)));
    proxy.fault = () => null;
    const answered = proxy.requests.filter(({ answer }) => answer !== null);
    expect(answered.map(({ answer }) => answer?.headers['cache-control'])).toEqual(answered.map(() => 'no-store'));
    const read = proxy.requests.filter(({ method }) => method === 'GET');
    expect(read.length).toBeGreaterThan(0);
    expect(read.map(({ headers }) => headers['cache-control'])).toEqual(read.map(() => 'no-store'));
  });

  it('fault 36: an old status causes no wrong part, and confirmed parts stay confirmed', async () => {
    const { proxy, picture, add, linked, item, errorOf, expectPublished } = await scene();
    let old: Fault | null = null;
    let down = 0;
    const confirmed = () => {
      const now = item(id);
      return now && 'confirmedBytes' in now ? now.confirmedBytes : 0;
    };
    proxy.fault = ({ operation, nth }) => {
      // The cache keeps returning the very first answer, with nothing received.
      if (operation === 'part' && nth === 0) {
        const start = proxy.requests.find((request) => request.operation === 'start')?.answer;
        if (start)
          old = { do: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body: start.body };
      }
      if (operation === 'part' && nth === 2) return html(502);
      return operation === 'status' ? old : null;
    };
    const file = await picture(4);
    const id = await add(file);
    await until(() => errorOf(id) === 'INTERNAL');
    const before = confirmed();
    const watch = setInterval(() => {
      if (item(id)?.state === 'started') down = Math.min(down, confirmed() - before);
    }, 1);
    onTestFinished(() => clearInterval(watch));
    await linked(id);
    await expectPublished(file);
    expect(down).toBe(0);
  });
});

describe('a certificate', () => {
  it('fault 35: that is not trusted prevents the connection, and nothing is sent unencrypted', async () => {
    const { engine, user, service, folder } = await scene({ connect: 'later' });
    const secure = await startFaultProxy(service.url, certificate(folder, 'unknown'));
    onTestFinished(() => secure.close());
    expect(
      await engine.connection.connect({ server: secure.url, key: user.apiKey, keep: 'store' }, soon()),
    ).toMatchObject({
      ok: false,
      error: { code: 'TLS_FAILED' },
    });
    expect(secure.requests).toEqual([]);
  });

  it('fault 35: that becomes invalid stops the items with the reason, and they continue when it is valid again', async () => {
    const parts = await scene({ connect: 'later' });
    const { service, folder, engine, user } = parts;
    const good = certificate(folder, 'good');
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, good.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const proxy = await startFaultProxy(service.url, good);
    onTestFinished(() => proxy.close());
    await connectTo(engine, proxy.url, user.apiKey);
    const { add, picture, linked, expectPublished } = sceneOf({ ...parts, proxy });

    proxy.certify(certificate(folder, 'bad'));
    proxy.cut();
    const asked = proxy.requests.length;
    const file = await picture(1);
    const id = await add(file);
    expect(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon())).toMatchObject({
      ok: false,
      error: { code: 'TLS_FAILED' },
    });
    expect(proxy.requests).toHaveLength(asked);

    proxy.certify(good);
    await engine.connection.refresh({}, soon());
    await linked(id);
    await expectPublished(file);
  });
});
