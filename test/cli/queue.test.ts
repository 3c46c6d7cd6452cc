/** The queue and the settings from the command line, mostly in a profile without a connection. */
import fs, {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/ipc/protocol/settings.ts';
import { smallDisk } from '../faults/small-disk.ts';
import { performCommand } from '../support/command-line.ts';
import { image } from '../support/media/media.ts';
import { itWith } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { startServer } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-queue');
const profile = join(root, 'profile');
const run = (words: readonly string[], input?: string) => performCommand([...words, '--profile', profile], {}, input);
const json = async (words: readonly string[], input?: string) => (await run([...words, '--json'], input)).json();
const states = async () => Object.fromEntries((await json(['status'])).map(({ name, intent }) => [name, intent]));

describe('the queue', () => {
  beforeAll(async () => {
    const host = await openTestHost(profile);
    for (const name of ['a.png', 'b.png', 'c.png']) {
      const path = join(root, name);
      copyFileSync(await image('png'), path);
      await host.engine.queue.add([{ source: { owner: 'user', path }, name }]);
    }
    await host.close();
  });

  it('is shown by `queue` as by `status`, in columns and without colours', async () => {
    const [alone, status] = [await run(['queue']), await run(['status'])];
    expect(alone.stdout).toBe(status.stdout);
    expect(alone.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^[0-9a-f]{8} {2}a\.png {2}\S/),
      expect.stringMatching(/^[0-9a-f]{8} {2}b\.png {2}\S/),
      expect.stringMatching(/^[0-9a-f]{8} {2}c\.png {2}\S/),
    ]);
    expect(alone.stdout).not.toContain('\x1b');
  });

  it('changes items as requested, by name or by the beginning of the id, and reports each', async () => {
    const [first] = await json(['status']);
    expect(await json(['queue', 'pause', 'b.png', String(first?.['itemId']).slice(0, 8)])).toMatchObject([
      { name: 'b.png', intent: 'pause' },
      { name: 'a.png', intent: 'pause' },
    ]);
    expect(await states()).toEqual({ 'a.png': 'pause', 'b.png': 'pause', 'c.png': 'run' });
    await run(['queue', 'resume', 'b.png']);
    expect(await states()).toMatchObject({ 'b.png': 'run' });
    await run(['queue', 'cancel', 'c.png']);
    expect(await states()).toEqual({ 'a.png': 'pause', 'b.png': 'run' });
  });

  it('approves captures that wait for a look only where the settings allow it', async () => {
    const none = await run(['queue', 'approve']);
    expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining('No capture in the queue waits') });
    await run(['config', 'set', 'checkBeforeUpload', 'require']);
    const refused = await run(['queue', 'approve', 'b.png']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('decided about in the editor') });
    await run(['config', 'set', 'checkBeforeUpload', 'off']);
    const calm = await run(['queue', 'approve', 'b.png']);
    expect(calm).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('does not wait for your look') });
  });

  it('changes all items without an argument, and continues with the rest where a name is wrong', async () => {
    await run(['queue', 'pause']);
    expect((await run(['status'])).stderr).toContain('linkshot queue resume');
    await run(['queue', 'resume']);
    expect(await states()).toEqual({ 'a.png': 'run', 'b.png': 'run' });
    const { code, json: lines } = await run(['queue', 'cancel', 'nothing.png', 'a.png', '--json']);
    expect(code).toBe(1);
    expect(lines()).toMatchObject([{ error: { code: 'COMMAND_INVALID', file: 'nothing.png' } }, { name: 'a.png' }]);
    await run(['queue', 'cancel']);
    expect((await run(['queue'])).stderr).toBe('The queue is empty.\n');
    expect((await run(['queue', 'retry'])).stderr).toContain('No item in the queue needs your attention');
  });
});

describe('an action that does not fit an item', () => {
  it('is reported as an error, and the other items of the command are changed', async () => {
    const mixed = join(root, 'mixed');
    const [photo, draft] = [join(root, 'photo.png'), join(root, 'draft.png')];
    for (const path of [photo, draft]) copyFileSync(await image('png'), path);
    const server = await startServer();
    onTestFinished(() => server.stop());
    const { apiKey } = await server.user();
    const to = ['--server', server.url, '--profile', mixed];
    expect((await performCommand(['upload', photo, ...to], { LINKSHOT_KEY: apiKey })).code).toBe(0);
    const host = await openTestHost(mixed, { queue: 'resting' });
    await host.engine.queue.add([{ source: { owner: 'user', path: draft }, name: 'draft.png' }]);
    await host.close();
    const act = async (...words: string[]) => {
      const { code, json: lines } = await performCommand(['queue', ...words, '--json', '--profile', mixed]);
      return { code, lines: lines() };
    };
    const refused = { error: { code: 'COMMAND_INVALID', file: 'photo.png' } };
    for (const action of ['pause', 'resume', 'retry', 'approve'])
      expect(await act(action, 'photo.png'), action).toMatchObject({ code: 1, lines: [refused] });
    expect(await act('clear', 'draft.png')).toMatchObject({ code: 1, lines: [{ error: { file: 'draft.png' } }] });
    expect(await act('cancel', 'photo.png', 'draft.png')).toMatchObject({
      code: 1,
      lines: [refused, { name: 'draft.png' }],
    });
    expect(await act()).toMatchObject({ lines: [{ name: 'photo.png', state: 'linked' }] });
    expect(await act('clear', 'photo.png')).toMatchObject({ code: 0, lines: [{ name: 'photo.png' }] });
    expect(await act()).toEqual({ code: 0, lines: [] });
  });
});

describe('a queue that is only looked at', () => {
  /** A profile in which an item waits, and how to look at it. */
  const waiting = async (name: string) => {
    const still = join(root, name);
    const path = join(root, 'still.png');
    copyFileSync(await image('png'), path);
    const host = await openTestHost(still, { queue: 'resting' });
    await host.engine.queue.add([{ source: { owner: 'user', path }, name: 'still.png' }]);
    await host.close();
    const look = async () => (await performCommand(['status', '--json', '--profile', still])).json();
    return { still, look };
  };

  it.each([
    [['doctor'], { LINKSHOT_FFMPEG: join(root, 'no-ffmpeg') }],
    [['whoami'], {}],
    [['show', 'x'], {}],
    [['link', 'x'], {}],
    [['set', 'x', '--visibility', 'private'], {}],
    [['rm', 'x'], {}],
    [['list', '--sync'], {}],
    [['upload', '--dry-run', 'x.png'], {}],
    [['disconnect'], {}],
  ] satisfies [string[], Record<string, string>][])('is left alone by %j', async (words, environment) => {
    const { still, look } = await waiting(`still-${words[0]}`);
    const before = await look();
    expect(before).toMatchObject([{ state: 'queued', intent: 'run' }]);
    await performCommand([...words, '--profile', still], environment);
    expect(await look()).toEqual(before);
  });

  it('stays unchanged when commands list or change items: no upload starts and no error is recorded', async () => {
    const { still, look } = await waiting('still');
    const before = await look();
    expect(before).toMatchObject([{ name: 'still.png', state: 'queued', intent: 'run' }]);
    expect(before[0]).not.toHaveProperty('error');
    await performCommand(['queue', 'pause', 'still.png', '--profile', still]);
    await performCommand(['queue', 'resume', 'still.png', '--profile', still]);
    expect(await look()).toEqual(before);
  });
});

describe('a queue that is paused', () => {
  it('accepts an upload and reports that it waits, instead of waiting silently', async () => {
    const held = join(root, 'held');
    const path = join(root, 'held.png');
    copyFileSync(await image('png'), path);
    await performCommand(['queue', 'pause', '--profile', held]);
    const { code, stdout, stderr } = await performCommand(['upload', path, '--profile', held]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/held\.png: The queue is paused.*linkshot resume/);
    const status = (await performCommand(['status', '--json', '--profile', held])).json();
    expect(status).toMatchObject([{ name: 'held.png', state: 'queued' }]);
  });
});

describe('settings', () => {
  it('are read and changed one by one, and an invalid value is reported with the name', async () => {
    expect(await json(['config', 'get', 'visibility'])).toEqual([{ name: 'visibility', value: null }]);
    expect(await json(['config', 'set', 'visibility', 'unlisted'])).toEqual([
      { name: 'visibility', value: 'unlisted' },
    ]);
    expect((await run(['config', 'get', 'visibility'])).stdout).toBe('unlisted\n');
    expect(await json(['config', 'set', 'itemsAtOnce', '9'])).toMatchObject([
      {
        error: {
          code: 'COMMAND_INVALID',
          message: 'Invalid value 9 for the setting itemsAtOnce; nothing was changed.',
        },
      },
    ]);
    expect((await run(['config', 'set', 'visibilty', 'public'])).stderr).toContain('Did you mean visibility?');
    for (const words of [['set'], ['set', 'visibility'], ['set', 'itemsAtOnce', '9'], ['get', 'visibilty']])
      expect((await run(['config', ...words])).code).toBe(2);
    expect((await json(['config'])).map(({ name }) => name)).toEqual(Object.keys(DEFAULT_SETTINGS));
  });

  it('travel to another profile in a document that holds no key, whole or not at all', async () => {
    const file = join(root, 'settings.json');
    await run(['config', 'set', 'theme', 'dark']);
    expect(await json(['export', file])).toEqual([{ file, settings: Object.keys(DEFAULT_SETTINGS).length }]);
    const other = ['--profile', join(root, 'other'), '--json'];
    const imported = await performCommand(['import', file, ...other]);
    expect(imported.json()).toEqual([{ imported: Object.keys(DEFAULT_SETTINGS), unknown: [], ignored: [] }]);
    const exported = await performCommand(['export', '-', ...other]);
    expect(exported.json()).toEqual([JSON.parse(readFileSync(file, 'utf8'))]);
    expect(exported.json()[0]).toMatchObject({ kind: 'linkshot-settings', version: 1, settings: { theme: 'dark' } });

    const refused: readonly (readonly [document: string, advice: RegExp])[] = [
      ['{', /not JSON/],
      ['[]', /not a settings file/],
      ['{"kind":"linkshot-settings","version":2,"settings":{}}', /version 2/],
      ['{"kind":"linkshot-settings","version":1,"settings":{"theme":"light","language":"tlh"}}', /language/],
    ];
    for (const [document, advice] of refused) {
      const { code, json: lines } = await performCommand(['import', '-', ...other], {}, document);
      expect([code, lines()]).toMatchObject([1, [{ error: { message: expect.stringMatching(advice) } }]]);
    }
    const kept = await performCommand(['config', 'get', 'theme', ...other]);
    expect(kept.json()).toEqual([{ name: 'theme', value: 'dark' }]);
  });

  it('keep their earlier export where the disk is full for a new one, which leaves nothing', async () => {
    const disk = join(root, 'disk');
    mkdirSync(disk);
    const { fill, makeRoom } = smallDisk(disk, 1);
    const file = join(disk, 'settings.json');
    await run(['export', file]);
    const [earlier, names] = [readFileSync(file, 'utf8'), [...readdirSync(disk), 'ballast']];
    const large = Array.from({ length: 50 }, (_, index) => ({ id: `p-${index}`, name: 'x'.repeat(60), link: {} }));
    await run(['config', 'set', 'presets', JSON.stringify(large)]);
    fill();
    const { code, json: lines } = await run(['export', file, '--json']);
    expect([code, lines()]).toMatchObject([1, [{ error: { code: 'DISK_FULL' } }]]);
    expect(readFileSync(file, 'utf8')).toBe(earlier);
    expect(names).toEqual(expect.arrayContaining(readdirSync(disk)));
    makeRoom();
    expect((await run(['export', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('x'.repeat(60));
    await run(['config', 'set', 'presets', '[]']);
  });

  itWith('modes of files')('are exported to where a link leads, and the mode of the earlier file stays', async () => {
    const folder = join(root, 'linked');
    mkdirSync(folder);
    const [file, link] = [join(folder, 'settings.json'), join(folder, 'link')];
    symlinkSync('settings.json', link);
    for (const mode of [undefined, 0o600]) {
      if (mode !== undefined) chmodSync(file, mode);
      expect((await run(['export', link])).code).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kind: 'linkshot-settings' });
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['link', 'settings.json']);
    expect(await json(['export', '/dev/full'])).toMatchObject([{ error: { code: 'DISK_FULL' } }]);
  });

  describe('where only the earlier file can be written', () => {
    type Call = (path: string, ...rest: readonly unknown[]) => Promise<void>;
    /** Until the test ends. */
    const replaceCall = (name: 'rename' | 'writeFile', by: (own: Call) => Call): void => {
      const own = fs.promises[name] as Call;
      const use = (call: Call): void => {
        Object.assign(fs.promises, { [name]: call });
        syncBuiltinESMExports();
      };
      onTestFinished(() => use(own));
      use(by(own));
    };
    const error = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' });
    const refusing = (name: 'rename' | 'writeFile', code: string): void =>
      replaceCall(name, (own) => async (path, ...rest) => {
        if (path.endsWith('.part')) throw error(code);
        await own(path, ...rest);
      });
    const place = (name: string, text: string) => {
      const folder = join(root, name);
      mkdirSync(folder);
      const file = join(folder, 'settings.json');
      writeFileSync(file, text);
      return { folder, file };
    };

    it.each([
      ['the folder is that of another user', 'writeFile', 'EACCES'],
      ['the folder cannot be changed', 'writeFile', 'EPERM'],
      ['the folder is on a disk that is read only', 'writeFile', 'EROFS'],
      ['the folder lets only the owner replace a file', 'rename', 'EPERM'],
      ['the file is a mount point', 'rename', 'EBUSY'],
    ] as const)('are written over it: %s', async (_, call, code) => {
      const { folder, file } = place(`${call}-${code}`, `${'earlier '.repeat(1_000)}\n`);
      refusing(call, code);
      const { code: ended, stderr } = await run(['export', file]);
      expect([ended, stderr]).toEqual([0, '']);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kind: 'linkshot-settings' });
      expect(readdirSync(folder)).toEqual(['settings.json']);
      const missing = join(folder, 'new.json');
      expect(await json(['export', missing])).toMatchObject([{ error: { message: expect.stringContaining(code) } }]);
      expect(readdirSync(folder)).toEqual(['settings.json']);
    });

    it('are not written over it on a full disk: it gets its text back', async () => {
      const { folder, file } = place('full', 'earlier');
      let isFull = true;
      replaceCall('writeFile', (own) => async (path, ...rest) => {
        const cut = path === file && isFull;
        isFull = isFull && !cut;
        await own(path, ...(cut ? ['{ "ki'] : rest));
        if (cut) throw error('ENOSPC');
      });
      refusing('writeFile', 'EACCES');
      expect(await json(['export', file])).toMatchObject([{ error: { code: 'DISK_FULL' } }]);
      expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['earlier', ['settings.json']]);
    });
  });

  it('with names of both directions are read from a pipe as they are', async () => {
    const preset = { id: 'p-1', name: 'שלום\u200f (1)\u0085', link: { tags: ['a\u200eb'] } };
    await run(['config', 'set', 'presets', JSON.stringify([preset])]);
    await run(['config', 'set', 'linkTemplate', '\u2067{title}\u2069 {url}']);
    const file = join(root, 'directions.json');
    await run(['export', file]);
    const { stdout } = await run(['export', '-']);
    expect(stdout).toBe(readFileSync(file, 'utf8'));
    expect(JSON.parse(stdout)).toMatchObject({ settings: { presets: [preset] } });
    expect(stdout).not.toMatch(/\p{Bidi_Control}|\u0085/u);
    expect(JSON.parse((await run(['config', 'get', 'presets'])).stdout)).toEqual([preset]);
    expect((await run(['config', 'get', 'linkTemplate'])).stdout).toBe('\u2067{title}\u2069 {url}\n');
    for (const words of [
      ['set', 'presets', '[]'],
      ['set', 'linkTemplate', DEFAULT_SETTINGS.linkTemplate],
    ])
      await run(['config', ...words]);
  });

  it('name the default preset as --preset does, and an unknown one is refused', async () => {
    await run(['config', 'set', 'presets', '[{"id":"p-1","name":"secret","link":{"visibility":"private"}}]']);
    expect(await json(['config', 'set', 'defaultPreset', 'secret'])).toEqual([{ name: 'defaultPreset', value: 'p-1' }]);
    const refused = await run(['config', 'set', 'defaultPreset', 'secrets']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Unknown preset "secrets"') });
    expect((await run(['config', 'get', 'defaultPreset'])).stdout).toBe('p-1\n');
  });

  it('that an earlier version exported and that have no effect here are reported and ignored', async () => {
    const settings = { theme: 'light', saveFolder: 'shots', presets: [], defaultPreset: 'gone' };
    const document = JSON.stringify({ kind: 'linkshot-settings', version: 1, settings });
    const { code, stderr } = await run(['import', '-'], document);
    expect([code, stderr]).toEqual([0, 'Without effect here, and ignored: saveFolder, defaultPreset.\n']);
    expect((await run(['config', 'get', 'theme'])).stdout).toBe('light\n');
  });

  it('that this version does not support are reported and ignored', async () => {
    const presets = [{ id: 'p-1', name: 'seen', link: { viewLimit: 2, opens: 3 } }];
    const settings = { theme: 'light', sound: 'on', presets };
    const document = JSON.stringify({ kind: 'linkshot-settings', version: 1, settings });
    const { code, stderr } = await run(['import', '-'], document);
    expect([code, stderr]).toEqual([0, 'Unknown to this version, and ignored: sound, presets.0.link.opens.\n']);
    expect((await run(['config', 'get', 'theme'])).stdout).toBe('light\n');
    const known = [{ id: 'p-1', name: 'seen', link: { viewLimit: 2 } }];
    expect(JSON.parse((await run(['config', 'get', 'presets'])).stdout)).toEqual(known);
    const set = ['config', 'set', 'presets', JSON.stringify(presets)];
    expect(await run(set)).toMatchObject({ code: 2, stderr: expect.stringContaining('presets.0.link.opens') });
    await run(['config', 'set', 'presets', '[]']);
  });
});

describe('a dry run of a folder', () => {
  const folder = join(root, 'project');
  let asked = 0;
  const listener = createServer((_, reply) => {
    asked += 1;
    reply.end();
  });

  beforeAll(async () => {
    for (const name of ['src', 'node_modules/left-pad', 'out']) mkdirSync(join(folder, name), { recursive: true });
    const files = {
      'src/main.ts': 'export {};\n',
      'README.md': '# Project\n',
      '.gitignore': '*.log\n',
      'debug.log': 'x\n',
      '.env': 'TOKEN=very-secret\n',
      'node_modules/left-pad/index.js': '1;\n',
      'out/main.js': '1;\n',
      'logo.bin': '\0\0\0',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
    return () => void listener.close();
  });

  it('shows included and excluded files with the reasons, without a request', async () => {
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const env = { LINKSHOT_SERVER: url, LINKSHOT_KEY: 'k', LINKSHOT_PROFILE: profile };
    const { code, json: lines } = await performCommand(['folder', folder, '--dry-run', '--json'], env);
    expect(code).toBe(0);
    const [preview] = lines() as [{ goes: { path: string }[]; skipped: { path: string; reason: string }[] }];
    expect(preview.goes.map(({ path }) => path).sort()).toEqual(['README.md', 'src/main.ts']);
    expect(Object.fromEntries(preview.skipped.map(({ path, reason }) => [path, reason]))).toMatchObject({
      ...{ '.env': 'secret', 'debug.log': 'gitignore', 'logo.bin': 'binary' },
      ...{ 'node_modules/': 'dependencies', 'out/': 'build' },
    });
    const human = await performCommand(['folder', folder, '--dry-run'], env);
    expect(human.stdout).toMatch(/^project {2}2 files, 21 bytes\n├─ src\/\n│ {2}└─ main\.ts +11 bytes\n└─ README\.md/);
    expect(human.stdout).toMatch(/\n {3}\.env +secret/);
    expect(human.stdout).not.toContain('very-secret');
    expect(asked).toBe(0);
  });

  it('fails for a folder of which nothing may go, and for one that is not there', async () => {
    mkdirSync(join(root, 'bare'), { recursive: true });
    const bare = await run(['folder', join(root, 'bare'), '--dry-run', '--json']);
    expect([bare.code, bare.json()]).toMatchObject([1, [{ files: 0, refusal: { code: 'FOLDER_EMPTY' } }]]);
    const none = await run(['folder', join(root, 'none'), '--dry-run', '--json']);
    expect([none.code, none.json()]).toMatchObject([1, [{ error: { code: 'SOURCE_MISSING' } }]]);
  });
});
