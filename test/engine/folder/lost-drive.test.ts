/** A folder whose drive goes away while it is read is never shared in part; one with damaged files is, without them. */
import { type Dirent, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Reader, readFolder } from '../../../src/engine/folder/read-folder.ts';
import { openSource } from '../../../src/engine/upload/upload-source.ts';
import { writeTree } from '../../support/folder/git-repository.ts';
import { type FolderPlace, prepareFolder } from '../../support/folder/packed-folder.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { watchedItem } from '../../support/watched-item.ts';
import { makeItem } from '../../support/window/app-state.ts';

/** Called before each of these calls: with its error the call fails. */
const drive = vi.hoisted(() => ({
  onCall: (_call: 'open' | 'lstat' | 'readdir' | 'stat', _path: string): string | null => null,
  /** Where one is mounted. */
  mount: null as string | null,
  /** The names that Windows would list as links. */
  links: new Set<string>(),
}));

vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  const open = (path: string, flags: number, done: (error: Error | null, file?: number) => void) => {
    const code = drive.onCall('open', path);
    if (code === null) real.open(path, flags, done);
    else setImmediate(done, Object.assign(new Error(code), { code, syscall: 'open', path }));
  };
  return { ...real, default: real, open: open as typeof real.open };
});
vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const failing = (call: 'lstat' | 'readdir' | 'stat') =>
    (async (path: string, ...rest: []) => {
      const code = drive.onCall(call, path);
      if (code !== null) throw Object.assign(new Error(code), { code, syscall: call, path: String(path) });
      return (real[call] as (path: string, ...rest: []) => Promise<object>)(path, ...rest);
    }) as unknown;
  const stat = async (path: string) => {
    const stats = await (failing('stat') as typeof real.lstat)(path);
    if (drive.mount !== null && join(path, sep).startsWith(join(drive.mount, sep))) stats.dev += 1;
    return stats;
  };
  const readdir = async (path: string, ...rest: []) => {
    const entries = await (failing('readdir') as typeof real.readdir)(path, ...rest);
    for (const entry of entries as unknown as readonly (Dirent | string)[])
      if (typeof entry === 'object' && drive.links.has(entry.name))
        Object.assign(entry, { isFile: () => false, isSymbolicLink: () => true });
    return entries;
  };
  return {
    ...real,
    default: real,
    lstat: failing('lstat') as typeof real.lstat,
    readdir: readdir as unknown as typeof real.readdir,
    stat: stat as typeof real.stat,
  };
});

const dir = temporaryFolder('lost-drive');
let made = 0;
const names = Array.from({ length: 100 }, (_, index) => `${String(index).padStart(3, '0')}.ts`);

const place = (tree: Readonly<Record<string, string>> = Object.fromEntries(names.map((name) => [name, 'x']))) => {
  made += 1;
  const at = { root: join(dir, `${made}/project`), home: join(dir, `${made}/home`), spool: join(dir, `${made}/spool`) };
  mkdirSync(at.spool, { recursive: true });
  writeTree(at.root, tree);
  return at;
};

const failWhere = (onCall: typeof drive.onCall): void => {
  onTestFinished(() => {
    drive.onCall = () => null;
    drive.mount = null;
    drive.links.clear();
  });
  drive.onCall = onCall;
};

const reading = ({ root }: FolderPlace, reader: Partial<Reader> = {}) =>
  readFolder(
    { owner: 'user', path: root },
    { gitHome: null, times: null },
    { onFound: () => {}, onProgress: () => {}, onKept: () => {}, ...reader },
    { listed: 200 },
    soon(),
  );

const unreadable = (name: string, system = 'EIO') => ({
  ok: false,
  error: { code: 'SOURCE_UNREADABLE', params: { system, name } },
});

describe('a folder whose drive goes away while it is read', () => {
  it('fault 20: is missing, however much of it was read', async () => {
    const at = place();
    const onKept = (path: string) => path === '000.ts' && renameSync(at.root, `${at.root}-away`);
    expect(await reading(at, { onKept })).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
  });

  it('fault 20: is missing where its drive goes away while it is listed', async () => {
    const at = place({ 'a.ts': '1', 'b/b.ts': '1', 'c/c.ts': '1' });
    failWhere((call, path) => {
      if (call === 'readdir' && path === join(at.root, 'c/')) renameSync(at.root, `${at.root}-away`);
      return null;
    });
    expect(await reading(at)).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
  });

  it('fault 20: is missing where the place of its drive is left as an empty folder', async () => {
    const at = place();
    failWhere((call, path) => {
      if (call !== 'open' || path < join(at.root, '050.ts')) return null;
      drive.mount = null;
      return 'ENOENT';
    });
    drive.mount = at.root;
    expect(await reading(at)).toMatchObject({ ok: false, error: { code: 'SOURCE_MISSING' } });
  });

  it.each([
    ['ENOENT', 'project'],
    ['EIO', 'project'],
    ['EIO', '.'],
  ])(
    'fault 20: waits until its drive is mounted again where an empty folder is left (%s, mounted at %s)',
    async (code, top) => {
      const at = place();
      const mount = join(at.root, '..', top);
      failWhere((call, path) => {
        if (call !== 'open' || path < join(at.root, '050.ts')) return null;
        if (code === 'ENOENT') drive.mount = null;
        return code;
      });
      drive.mount = mount;
      const read = await reading(at);
      if (read.ok) throw new Error('Nothing failed.');
      drive.mount = null;
      rmSync(at.root, { recursive: true });
      mkdirSync(at.root);

      let checks = 0;
      const { watch, back, item } = watchedItem({
        openSource,
        async sleep() {
          checks += 1;
          if (checks === 3) drive.mount = mount;
        },
      });
      watch(
        makeItem('queued', 1, {
          job: { kind: 'folder' },
          source: { owner: 'user', path: at.root },
          error: { failure: read.error, since: 0, retryAt: null },
        }),
      );
      await back;
      expect(checks).toBe(3);
      expect(item().error).toBeNull();
    },
  );

  it('fault 20: waits for it where the folder itself can no longer be listed', async () => {
    const at = place();
    let isAway = false;
    failWhere((call, path) => {
      isAway ||= call === 'open' && path === join(at.root, '099.ts');
      return isAway && (call === 'open' || path === at.root) ? 'ENOTCONN' : null;
    });
    expect(await reading(at)).toMatchObject(unreadable(at.root, 'ENOTCONN'));
  });

  it.each(['EIO', 'UNKNOWN'])('fault 20: waits for it where its listing is still in memory (%s)', async (code) => {
    const at = place();
    let opened = 0;
    failWhere((call, path) => {
      if (call !== 'open' || path < join(at.root, '050.ts')) return null;
      opened += 1;
      return code;
    });
    expect(await reading(at)).toMatchObject(unreadable(join(at.root, '079.ts'), code));
    // The others are not tried: a network drive can take minutes for each.
    expect(opened).toBeLessThan(40);
  });

  it('fault 20: waits for it where none of its files could be read, and stays in the queue', async () => {
    const at = place({ 'a.ts': '1', 'b.ts': '1' });
    failWhere((call) => (call === 'open' ? 'EIO' : null));
    expect(await prepareFolder(at)).toMatchObject(unreadable(join(at.root, 'b.ts')));
    expect(readdirSync(at.spool)).toEqual([]);
  });

  it.each(['lstat', 'readdir'] as const)(
    'fault 20: waits for it where nothing of it was found (%s)',
    async (failing) => {
      const at = place({ 'sub/a.ts': '1' });
      const path = join(at.root, failing === 'lstat' ? 'sub/a.ts' : 'sub/');
      failWhere((call, asked) => (call === failing && asked === path ? 'EIO' : null));
      expect(await reading(at)).toMatchObject(unreadable(path));
    },
  );

  it.each([
    ['open', 'sub/b.ts'],
    ['lstat', 'sub/b.ts'],
    ['readdir', 'sub/'],
  ] as const)('fault 20: is read again where it is back before the end (%s of %s)', async (failing, name) => {
    const at = place({ 'a.ts': '1', 'sub/b.ts': '1', 'c.ts': '1' });
    let failed = 0;
    const path = join(at.root, name);
    failWhere((call, asked) => (call === failing && asked === path && failed++ === 0 ? 'EIO' : null));
    expect(await reading(at)).toMatchObject(unreadable(path));
  });

  it('fault 20: is read again where what Windows lists as a link is back before the end', async () => {
    const at = place({ 'a.ts': '1', 'b.ts': '1' });
    const path = join(at.root, 'b.ts');
    drive.links.add('b.ts');
    let failed = 0;
    failWhere((call, asked) => (call === 'lstat' && String(asked) === path && failed++ === 0 ? 'EIO' : null));
    expect(await reading(at)).toMatchObject(unreadable(path));
  });

  describe('and contains the place of another drive that is not there', () => {
    const failAlso = (at: FolderPlace, onCall: typeof drive.onCall) =>
      failWhere((call, path) =>
        call === 'readdir' && path === join(at.root, 'sub/') ? 'ENOTCONN' : onCall(call, path),
      );
    const tree = { 'a.ts': '1', 'b.ts': '1', 'sub/c.ts': '1' };

    it('fault 20: is read again where it is back before the end', async () => {
      const at = place(tree);
      const path = join(at.root, 'b.ts');
      let failed = 0;
      failAlso(at, (call, asked) => (call === 'open' && asked === path && failed++ === 0 ? 'EIO' : null));
      expect(await reading(at)).toMatchObject(unreadable(path));
    });

    it('fault 20: waits only for what was on it', async () => {
      const at = place(tree);
      failAlso(at, (call) => (call === 'open' ? 'EIO' : null));
      expect(await reading(at)).toMatchObject(unreadable(join(at.root, 'b.ts')));
    });
  });

  it('fault 20: is waited for by the name of its .gitignore where that cannot be read again', async () => {
    const at = place({ 'a.ts': '1', '.gitignore': '*.log\n' });
    const path = join(at.root, '.gitignore');
    failWhere((call, asked) => (call === 'open' && asked === path ? 'EIO' : null));
    expect(await reading(at)).toMatchObject(unreadable(path));
  });
});

describe('a folder on a drive that is there', () => {
  const skipsOf = async (at: FolderPlace) => {
    const read = await reading(at);
    if (!read.ok) throw new Error(read.error.detail);
    expect(read.value.refusal).toBeNull();
    return read.value.account.skipped.map(({ path, reason }) => [path, reason]);
  };

  it.each(['EIO', 'UNKNOWN', 'ESTALE', 'EACCES', 'ENOENT'])(
    'is shared without a file that fails (%s)',
    async (code) => {
      const at = place();
      failWhere((call, path) => (call === 'open' && path.endsWith('099.ts') ? code : null));
      expect(await skipsOf(at)).toEqual([['099.ts', 'unreadable']]);
    },
  );

  it('is shared without damaged files that follow each other', async () => {
    const at = place();
    const damaged = names.slice(40, 55);
    failWhere((call, path) => (call === 'open' && damaged.some((name) => path.endsWith(name)) ? 'EIO' : null));
    expect(await skipsOf(at)).toEqual(damaged.map((name) => [name, 'unreadable']));
  });

  it.each(['EIO', 'ENOTCONN'])('is shared without a folder in it that fails (%s)', async (code) => {
    const at = place({ 'a.ts': '1', 'sub/b.ts': '1' });
    failWhere((call, path) => (call === 'readdir' && path === join(at.root, 'sub/') ? code : null));
    expect(await skipsOf(at)).toEqual([['sub/', 'unreadable']]);
  });
});
