/** The master key: created once, kept apart from the data, and required to be the right one. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareDataFolder } from '../../../src/server/data-folder.ts';
import { type KeyOptions, openMasterKeys } from '../../../src/server/storage/load-master-keys.ts';
import { isWindows, itWith, shownMode, unless } from '../../support/only-on.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { windowsRights } from '../../support/windows-rights.ts';

const root = temporaryFolder('keys');
let serial = 0;
/** A world-writable file system in memory on Linux. */
const OTHER_FILE_SYSTEM = '/dev/shm';

/** A new data folder, and a start of a server on it. */
const newData = (make: (folder: string) => void = mkdirSync) => {
  const data = join(root, `data-${serial++}`);
  make(data);
  const said: string[] = [];
  const start = (options: Partial<KeyOptions> = {}): string =>
    openMasterKeys({
      data,
      objects: join(data, 'objects'),
      keyFile: null,
      keyText: null,
      log: (line) => void said.push(line),
      ...options,
    })
      .map((key) => key.export().toString('base64url'))
      .join();
  return { data, start, said };
};
const newKey = (): string => randomBytes(32).toString('base64url');

describe('The data folder', () => {
  it('is closed to others on Windows where it was there before, and a refusal is complained about', () => {
    const data = join(root, 'there-before');
    mkdirSync(data);
    const said: unknown[] = [];
    const open = windowsRights();
    prepareDataFolder(data, (...line) => said.push(line), open);
    expect(open.closed).toEqual([data]);
    expect(said).toEqual([]);
    prepareDataFolder(data, (...line) => said.push(line), windowsRights(true));
    expect(said).toEqual([
      [expect.stringContaining(`Other users of this computer may read ${data}`), { level: 'warn' }],
    ]);
  });
});

describe('The master key', () => {
  it('is made beside the data folder at the first start, for its owner alone, and stays the same', () => {
    const { data, start, said } = newData();
    const key = start();
    expect(readFileSync(`${data}.key`, 'utf8').trim()).toBe(key);
    expect(statSync(`${data}.key`).mode & 0o777).toBe(shownMode(0o600));
    expect(start()).toBe(key);
    expect(said).toEqual([expect.stringContaining(`A new key was made in ${data}.key. Back it up`)]);
    expect(said.join()).not.toContain(key);
  });

  it('is in the configured file, which is created where it is missing', () => {
    const { data, start } = newData();
    const keyFile = join(root, 'configured.key');
    expect(start({ keyFile })).toBe(readFileSync(keyFile, 'utf8').trim());
    expect(existsSync(`${data}.key`)).toBe(false);
  });

  it('comes from the environment without any file', () => {
    const { data, start } = newData();
    const keyText = newKey();
    expect(start({ keyText })).toBe(keyText);
    expect(existsSync(`${data}.key`)).toBe(false);
  });

  it.skipIf(isWindows || !existsSync(OTHER_FILE_SYSTEM))(
    `lies in a data folder that is mounted on its own, because beside it it would not outlive a container${unless('mount points')}`,
    () => {
      const other = mkdtempSync(join(OTHER_FILE_SYSTEM, 'linkshot-key-'));
      try {
        // To code that compares the device of the folder and of its parent, the link is a mount point.
        const { data, start, said } = newData((folder) => symlinkSync(other, folder));
        start();
        expect(statSync(join(data, 'server.key')).mode & 0o777).toBe(0o600);
        expect(existsSync(`${data}.key`)).toBe(false);
        expect(said.join(' ')).toContain('protects little');
      } finally {
        rmSync(other, { recursive: true });
      }
    },
  );

  it('that was moved into the data folder is found there', () => {
    const { data, start } = newData();
    const key = start();
    writeFileSync(join(data, 'server.key'), key, { mode: 0o600 });
    rmSync(`${data}.key`);
    expect(start()).toBe(key);
  });

  it('that is another one stops the start', () => {
    const { data, start } = newData();
    start();
    const wrong = 'is not the one that this data folder was encrypted with';
    expect(() => start({ keyText: newKey() })).toThrow(`The key in LINKSHOT_SERVER_KEY ${wrong}`);
    writeFileSync(`${data}.key`, newKey());
    expect(() => start()).toThrow(`The key in ${data}.key ${wrong}`);
  });

  it('that is missing stops the start and is not replaced', () => {
    const { data, start } = newData();
    start();
    rmSync(`${data}.key`);
    expect(() => start()).toThrow(`The key file ${data}.key is missing; put it back from your backup.`);
    expect(existsSync(`${data}.key`)).toBe(false);
  });

  it.each(['', 'short', 'x'.repeat(44), `${'a'.repeat(42)}+`])('is not %j', (keyText) => {
    const { data, start } = newData();
    expect(() => start({ keyText })).toThrow('LINKSHOT_SERVER_KEY must hold a key of 32 bytes in base64url');
    writeFileSync(`${data}.key`, keyText);
    expect(() => start()).toThrow(`${data}.key must hold a key of 32 bytes in base64url`);
  });

  it('is given once, and never in a file among the data', () => {
    const { data, start } = newData();
    const keyFile = join(data, 'objects', 'my.key');
    expect(() => start({ keyFile })).toThrow('keyFile must lie outside the data folder');
    expect(() => start({ keyFile: join(root, 'a.key'), keyText: newKey() })).toThrow('Both LINKSHOT_SERVER_KEY and');
  });

  it('cannot open data that was stored without one', () => {
    const { data, start } = newData();
    mkdirSync(join(data, 'objects/staged'), { recursive: true });
    writeFileSync(join(data, 'objects/staged/an-object'), 'in plain');
    expect(() => start()).toThrow('stored without encryption by an early version');
    expect(existsSync(`${data}.key`)).toBe(false);
  });

  itWith('modes of files')('that others can read is complained about', () => {
    const { data, start, said } = newData();
    start();
    chmodSync(`${data}.key`, 0o644);
    start();
    expect(said.at(-1)).toContain('chmod 600');
  });

  it('is closed to others on Windows, also one that was there before, and a refusal is complained about', () => {
    const { data, start, said } = newData();
    const open = windowsRights();
    start({ windows: open });
    start({ windows: open });
    expect(open.closed).toEqual([`${data}.key.new`, `${data}.key`]);
    expect(said.join()).not.toContain('Other users');
    start({ windows: windowsRights(true) });
    expect(said.at(-1)).toContain(`Other users of this computer may read ${data}.key`);
  });

  it('is one of several, newest first, of which one must be the one that the folder needs', () => {
    const { data, start } = newData();
    const old = start();
    const [newer, newest] = [newKey(), newKey()];
    expect(start({ keyText: `${newest},${newer} ${old}` })).toBe([newest, newer, old].join());
    writeFileSync(`${data}.key`, `${newer}\n${old}\n`, { mode: 0o600 });
    expect(start()).toBe([newer, old].join());
    expect(() => start({ keyText: `${newest},${newer}` })).toThrow('is not the one that this data folder');
    expect(() => start({ keyText: `${newest},${old.slice(1)}` })).toThrow('must hold a key of 32 bytes');
  });
});
