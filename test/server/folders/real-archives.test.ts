import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normaliseArchive } from '../../../src/server/folders/normalise-archive.ts';

let work = '';
const TEXTS: Readonly<Record<string, string>> = {
  'project/README.md': '# Title\n',
  'project/empty': '',
  'project/src/long.txt': 'the same words again\n'.repeat(5_000),
  'project/src/фото.txt': 'имя\n',
};
const KEPT = ['README.md', 'empty', 'src/long.txt', 'src/фото.txt'];

const run = (command: string, ...args: readonly string[]) => {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync(command, args, { cwd: work, env, maxBuffer: 64 * 1024 ** 2, stdio: ['pipe', 'pipe', 'pipe'] });
};
const shell = (line: string) => run('bash', '-ec', line);
const python = (code: string) => run('python3', '-c', code);
const file = (name: string) => readFileSync(join(work, name));

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'linkshot-zip-'));
  for (const [path, text] of Object.entries(TEXTS)) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), text);
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const addAll = 'for p in sorted(pathlib.Path("project").rglob("*")): z.write(p)';

const MADE: Readonly<Record<string, () => Buffer>> = {
  zip: () => shell('zip -qr a.zip project && cat a.zip'),
  'zip without packing': () => shell('zip -q0r b.zip project && cat b.zip'),
  'zip without extra fields and folders': () => shell('zip -qrXD c.zip project && cat c.zip'),
  'zip with data descriptors': () => shell('zip -qr -fd d.zip project && cat d.zip'),
  'zip into a pipe': () => shell('zip -qr - project | cat'),
  'zip with names as UTF-8': () => shell('zip -qr -UN=UTF8 e.zip project && cat e.zip'),
  'zip with a comment': () => shell('zip -qr f.zip project && echo a note | zip -qz f.zip && cat f.zip'),
  'zip with a file replaced': () =>
    shell(
      'zip -qr g.zip project && echo >> project/empty && zip -qr g.zip project && : > project/empty && zip -qr g.zip project && cat g.zip',
    ),
  "Python's zipfile": () => {
    python(`import zipfile, pathlib\nwith zipfile.ZipFile("h.zip", "w", zipfile.ZIP_DEFLATED) as z:\n  ${addAll}`);
    return file('h.zip');
  },
  "Python's zipfile into a pipe": () =>
    shell(
      `python3 -c 'import sys, zipfile, pathlib\nwith zipfile.ZipFile(sys.stdout.buffer, "w", zipfile.ZIP_DEFLATED) as z:\n  ${addAll}' | cat`,
    ),
  "Python's zipfile into a pipe, stored": () =>
    shell(
      `python3 -c 'import sys, zipfile, pathlib\nwith zipfile.ZipFile(sys.stdout.buffer, "w") as z:\n  ${addAll}' | cat`,
    ),
  "Python's make_archive": () => {
    python('import shutil; shutil.make_archive("i", "zip", ".", "project")');
    return file('i.zip');
  },
  'git archive': () => {
    shell('cd project && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first');
    const archive = shell('git -C project archive --format=zip --prefix=project/ HEAD');
    rmSync(join(work, 'project/.git'), { recursive: true });
    return archive;
  },
};

describe('archives of common programs are accepted', () => {
  test.each(Object.keys(MADE))('%s', (kind) => {
    const made = normaliseArchive(MADE[kind]?.() ?? Buffer.alloc(0));
    expect(made).toMatchObject({ ok: true, value: { folder: { files: 4, skipped: [] } } });
    if (!made.ok) return;
    writeFileSync(join(work, 'made.zip'), made.value.archive);
    expect(run('unzip', '-p', 'made.zip', 'src/фото.txt').toString()).toBe('имя\n');
  });
});

const REFUSED: Readonly<Record<string, () => Buffer>> = {
  encryption: () => shell('zip -qr -P password k.zip project && cat k.zip'),
  ZIP64: () => shell('zip -qr -fz l.zip project && cat l.zip'),
  'ZIP64 from a stream of unknown length': () => shell('cat project/README.md | zip -q - - | cat'),
  bzip2: () => shell('zip -qr -Z bzip2 m.zip project && cat m.zip'),
  'a symbolic link': () => {
    symlinkSync('README.md', join(work, 'project/link'));
    const archive = shell('zip -qry n.zip project && cat n.zip');
    rmSync(join(work, 'project/link'));
    return archive;
  },
  'a split archive': () => shell('head -c 200000 /dev/urandom > noise && zip -q -s 64k o.zip noise && cat o.zip'),
  'an archive that runs': () =>
    shell('zip -qr p.zip project && (echo "#!/bin/sh"; cat p.zip) > q.zip && zip -qA q.zip && cat q.zip'),
  LZMA: () => {
    python(`import zipfile, pathlib\nwith zipfile.ZipFile("r.zip", "w", zipfile.ZIP_LZMA) as z:\n  ${addAll}`);
    return file('r.zip');
  },
  'a name twice': () => {
    const code =
      'import zipfile\nwith zipfile.ZipFile("s.zip", "w") as z:\n  z.writestr("a", "1"); z.writestr("a", "2")';
    run('python3', '-W', 'ignore', '-c', code);
    return file('s.zip');
  },
  'a tar file': () => shell('tar c project'),
};

describe('archives of real programs that are no plain ZIP are refused', () => {
  test.each(Object.keys(REFUSED))('%s', (kind) => {
    const made = normaliseArchive(REFUSED[kind]?.() ?? Buffer.alloc(0));
    expect(made).toMatchObject({ ok: false, error: { code: 'FOLDER_ARCHIVE_INVALID' } });
  });
});

describe('the stored ZIP', () => {
  const archive = () => {
    const made = normaliseArchive(shell('zip -qr t.zip project && cat t.zip'));
    if (!made.ok) throw new Error(made.error.detail);
    return Buffer.from(made.value.archive);
  };

  test('is read by unzip and Python as the same sorted list, with nothing to complain about', () => {
    writeFileSync(join(work, 'stored.zip'), archive());
    expect(run('unzip', '-Z1', 'stored.zip').toString().trim().split('\n')).toEqual(KEPT);
    expect(run('unzip', '-tqq', 'stored.zip').toString()).toBe('');
    const names = python('import zipfile, json; print(json.dumps(zipfile.ZipFile("stored.zip").namelist()))');
    expect(JSON.parse(names.toString())).toEqual(KEPT);
    expect(python('import zipfile; print(zipfile.ZipFile("stored.zip").testzip())').toString().trim()).toBe('None');
    const sorted = python('import zipfile; n = zipfile.ZipFile("stored.zip").namelist(); print(n == sorted(n))');
    expect(sorted.toString().trim()).toBe('True');
  });

  test('holds the bytes of the files', () => {
    writeFileSync(join(work, 'stored.zip'), archive());
    for (const [path, text] of Object.entries(TEXTS)) {
      expect(run('unzip', '-p', 'stored.zip', path.replace('project/', '')).toString()).toBe(text);
    }
  });

  test('is the same, byte for byte, whichever program packed the folder', () => {
    const stored = Object.values(MADE).map((make) => {
      const made = normaliseArchive(make());
      return made.ok ? Buffer.from(made.value.archive).toString('base64') : made.error.detail;
    });
    expect(new Set(stored).size).toBe(1);
  });

  test('is accepted again, and then stays the same', () => {
    const again = normaliseArchive(archive());
    expect(again.ok && archive().equals(again.value.archive)).toBe(true);
  });
});
