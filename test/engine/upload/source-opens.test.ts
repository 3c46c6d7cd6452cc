/** The steps of an upload share one open file, which is opened again only where the path may have another content. */
import fs, { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { err, failure, ok } from '../../../src/api/errors.ts';
import { createOpenFileCache } from '../../../src/engine/upload/open-file-cache.ts';
import { createOpenSource, fileStateAt, type OpenSource } from '../../../src/engine/upload/upload-source.ts';
import { addFile, connectTo, openEngine, randomFile, until } from '../../support/engine.ts';
import { modelForEachTest } from '../../support/model-for-each-test.ts';
import { itWith } from '../../support/only-on.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { must } from '../../support/results.ts';
import type { ModelService } from '../../support/server/model-service.ts';

const PART = 2_000_000;
const PATIENCE = 3_600_000;
let model: ModelService;
let folder: string;

modelForEachTest('source-opens', (fresh, own) => {
  model = fresh;
  folder = own;
});

/** Counts how often this process opens each path, by whichever function. */
const countOpens = (): ((path: string) => number) => {
  const opened: string[] = [];
  const restores = [
    ...(['open', 'readFile', 'copyFile'] as const).map((name) => counted(fsPromises, name, opened)),
    ...(['open', 'openSync', 'readFile', 'readFileSync'] as const).map((name) => counted(fs, name, opened)),
  ];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const restore of restores) restore();
    syncBuiltinESMExports();
  });
  return (path) => opened.filter((one) => one === path).length;
};

const counted = (module: object, name: string, opened: string[]): (() => void) => {
  const real = Reflect.get(module, name) as (...args: unknown[]) => unknown;
  Reflect.set(module, name, (...args: unknown[]) => {
    opened.push(String(args[0]));
    return real(...args);
  });
  return () => void Reflect.set(module, name, real);
};

describe('an upload', () => {
  it.each(['a file.bin', 'a document.pdf', 'text.txt'])('opens %s at most twice', async (name) => {
    const file = randomFile(folder, name, 3 * PART);
    const opensOf = countOpens();
    const { engine } = await openEngine(join(folder, 'profile'));
    await connectTo(engine, model.url);
    const id = await addFile(engine, file.path, name);
    must(await engine.queue.waitFor({ id, patienceMs: PATIENCE }, soon()));
    expect(model.published()).toMatchObject([{ sha256: file.sha256 }]);
    await engine.close();
    expect([1, 2]).toContain(opensOf(file.path));
  });
});

const timesOf = (log: readonly string[], what: string): number => log.filter((one) => one === what).length;

describe('a file that was opened', () => {
  const open = (path: string) => {
    const times = { platform: 'linux', now: () => Date.now() } as const;
    const log: string[] = [];
    const real = createOpenSource(fsPromises.open, times);
    const cache = createOpenFileCache({
      async open(at) {
        log.push('open');
        const opened = await real(at);
        if (!opened.ok) return opened;
        return {
          ok: true,
          value: { ...opened.value, close: () => opened.value.close().then(() => void log.push('close')) },
        };
      },
      identify: (at) => fileStateAt(at, times),
    });
    onTestFinished(cache.close);
    const use = async (): Promise<OpenSource> => must(await cache.open(path));
    return { log, cache, use };
  };
  const file = (name: string): string => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    writeFileSync(path, 'first');
    return path;
  };
  const textOf = async (source: OpenSource) => must(await source.read(Buffer.alloc(100), 0)).toString();

  it('is used again while its path has the same content, also by two at once', async () => {
    const { log, use } = open(file('same'));
    await (await use()).close();
    const [one, two] = await Promise.all([use(), use()]);
    await one.close();
    await one.close();
    expect(await textOf(two)).toBe('first');
    await two.close();
    expect(log).toEqual(['open']);
  });

  it('is opened again when it was changed, and the one before is closed', async () => {
    const path = file('changed');
    const { log, use } = open(path);
    const first = await use();
    appendFileSync(path, ' and more');
    const second = await use();
    expect(await textOf(second)).toBe('first and more');
    await first.close();
    await until(() => timesOf(log, 'close') === 1);
    expect(timesOf(log, 'open')).toBe(2);
    expect(await textOf(second)).toBe('first and more');
    await second.close();
  });

  itWith('way to replace a file that is open')(
    'is opened again when it was replaced, and the one before is closed',
    async () => {
      const path = file('replaced');
      const { log, use } = open(path);
      const first = await use();
      writeFileSync(`${path}.new`, 'other');
      renameSync(`${path}.new`, path);
      const second = await use();
      expect(await textOf(second)).toBe('other');
      await first.close();
      await until(() => timesOf(log, 'close') === 1);
      expect(timesOf(log, 'open')).toBe(2);
      expect(await textOf(second)).toBe('other');
      await second.close();
    },
  );

  it('that was deleted is missing, although it was open', async () => {
    const path = file('gone');
    const { cache, use } = open(path);
    await (await use()).close();
    rmSync(path);
    expect(await cache.open(path)).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
  });

  it('is closed when it is released, and after a moment without use', async () => {
    const path = file('released');
    const { log, cache, use } = open(path);
    const source = await use();
    cache.release(path);
    expect(await textOf(source)).toBe('first');
    await source.close();
    await until(() => log.length === 2);
    await (await use()).close();
    await until(() => log.length === 4);
    expect(log).toEqual(['open', 'close', 'open', 'close']);
  });

  it('is closed when what it is cannot be found out, and when it cannot be uploaded', async () => {
    let closed = 0;
    const empty = { size: 0n, mtimeNs: 0n, dev: 0n, ino: 0n, isFile: () => true };
    const openWith = (stat: () => Promise<typeof empty>) =>
      createOpenSource(async () => ({
        stat,
        read: async () => ({ bytesRead: 0 }),
        close: async () => {
          closed += 1;
        },
      }))('/a share/that stalls');
    const stale = Object.assign(new Error('ESTALE: stale file handle, fstat'), { code: 'ESTALE' });
    expect(await openWith(() => Promise.reject(stale))).toMatchObject({ error: { code: 'SOURCE_MISSING' } });
    expect(closed).toBe(1);
    expect(await openWith(async () => empty)).toMatchObject({ error: { code: 'SOURCE_EMPTY' } });
    expect(closed).toBe(2);
  });

  it('that cannot be read is opened again, as its drive may be back', async () => {
    let opens = 0;
    const dead = failure('SOURCE_UNREADABLE', 'The drive is gone.', { params: { system: 'EIO' } });
    const cache = createOpenFileCache({
      open: async () => {
        const isDead = opens++ === 0;
        const read: OpenSource['read'] = async (into) => (isDead ? err(dead) : ok(into));
        return ok({ size: 1, identity: 'same', isMtimeReliable: true, read, close: async () => {} });
      },
      identify: async () => ({ identity: 'same', isMtimeReliable: true }),
    });
    for (const isReadable of [false, true]) {
      const source = must(await cache.open('/drive/film.mp4'));
      expect((await source.read(Buffer.alloc(1), 0)).ok).toBe(isReadable);
      await source.close();
    }
    cache.close();
  });

  it('is one of a few that wait: beyond them the oldest is closed', async () => {
    // On a busy machine the others would be closed after their moment without use.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { log, cache } = open('');
    for (let number = 0; number < 9; number++) {
      const source = must(await cache.open(file(`one of many ${number}`)));
      await source.close();
    }
    await until(() => log.includes('close'));
    expect(timesOf(log, 'close')).toBe(1);
  });
});
