/** `linkshot upload` against a real server: every file gets its link or a sentence that says what to do. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP_ERRORS, type ErrorCode, failure, SERVICE_ERRORS } from '../../src/api/errors.ts';
import { errorMessageOf } from '../../src/cli/error-messages.ts';
import { startFaultProxy } from '../faults/fault-proxy.ts';
import { performCommand, runCommand, startCommand } from '../support/command-line.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { goodMp4, image, video } from '../support/media/media.ts';
import { makeVideo } from '../support/media/padded-video.ts';
import { itWith } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { soon } from '../support/poll-timeouts.ts';
import { startGatedProxy } from '../support/server/gated-proxy.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MIB = 1024 * 1024;
const root = temporaryFolder('cli');
let server: RunningServer;
let user: User;
let png = '';
let profiles = 0;

const newProfile = (): string => {
  profiles += 1;
  return join(root, `profile-${profiles}`);
};
const key = (apiKey = user.apiKey) => ({ LINKSHOT_KEY: apiKey });
const uploadWords = (
  files: readonly string[],
  { profile = newProfile(), url = server.url, env = key(), json = true } = {},
) => [['upload', ...files, ...(json ? ['--json'] : []), '--profile', profile, '--server', url], env] as const;
type UploadOptions = Parameters<typeof uploadWords>[1];
/** In this process, which avoids waiting for unresponsive services, and as a separate process. */
const upload = (files: readonly string[], options?: UploadOptions) =>
  performCommand(...uploadWords(files, options), undefined, { clock: hurriedClock() });
const uploadAlone = (files: readonly string[], options?: UploadOptions) => runCommand(...uploadWords(files, options));
const errorOf = (line: Record<string, unknown> | undefined) => line?.['error'] as { code: string; message: string };

beforeAll(async () => {
  server = await startServer({
    config: {
      limits: { requestsPerMinute: 10_000, uploadRequestsPerMinute: 10_000 },
      video: { bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1e12, max: 1e12 }, maxLongSide: 1280 },
    },
  });
  user = await server.user();
  png = join(root, 'shot.png');
  copyFileSync(await image('png'), png);
});
afterAll(() => server.stop());

describe('upload', () => {
  it('prints the link of each file in the order of the arguments, and nothing else on stdout', async () => {
    const mp4 = await goodMp4();
    const { code, stdout, stderr } = await uploadAlone([mp4, png], { json: false });
    const [first = '', second = ''] = stdout.trim().split('\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect((await fetch(first)).status).toBe(200);
    expect(await (await fetch(second)).text()).toContain('<h1>shot</h1>');
  });

  it('prints one JSON line with id and url per file, and the bytes on the server are those of the file', async () => {
    const { code, json } = await upload([png]);
    expect(code).toBe(0);
    const [line] = json();
    expect(json()).toHaveLength(1);
    expect(line?.['url']).toBe(`${server.url}/s/${line?.['id']}`);
    const media = await fetch(`${server.url}/api/media/${line?.['id']}?download=1`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    expect(Buffer.from(await media.arrayBuffer()).equals(readFileSync(png))).toBe(true);
  });

  it('continues with the other files when one fails, and reports the failure in the exit code', async () => {
    const { code, json } = await upload([join(root, 'none.png'), png]);
    expect(code).toBe(1);
    expect(errorOf(json()[0])).toMatchObject({ code: 'SOURCE_MISSING', file: join(root, 'none.png') });
    expect(json()[1]).toHaveProperty('url');
  });

  it('takes server, key and profile from the environment', async () => {
    const env = { ...key(), LINKSHOT_SERVER: server.url, LINKSHOT_PROFILE: newProfile() };
    expect(await runCommand(['upload', png], env)).toMatchObject({ code: 0, stderr: '' });
  });

  it('works with a key on the command line, and recommends the environment', async () => {
    const words = ['upload', png, '--profile', newProfile(), '--server', server.url, '--key', user.apiKey];
    const { code, stderr } = await performCommand(words);
    expect(code).toBe(0);
    expect(stderr).toContain('LINKSHOT_KEY');
    expect(stderr).not.toContain(user.apiKey);
  });

  it('never writes the key anywhere in the profile', async () => {
    const profile = newProfile();
    await upload([png], { profile });
    for (const name of readdirSync(profile, { recursive: true, withFileTypes: true }))
      if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name)).includes(user.apiKey)).toBe(false);
  });

  it('publishes a file once when it is given again after an interruption, however the address is typed', async () => {
    const profile = newProfile();
    expect(errorOf((await upload([png], { profile, url: '127.0.0.1:9' })).json()[0]).code).toBe('CONNECTION_REFUSED');
    expect((await upload([png], { profile, url: new URL(server.url).host })).code).toBe(0);
    expect((await performCommand(['status', '--json', '--profile', profile])).json()).toMatchObject([
      { state: 'linked' },
    ]);
  });
});

describe('a file that is kept because its service could not be reached', () => {
  const statesIn = async (profile: string) =>
    Object.fromEntries(
      (await performCommand(['status', '--json', '--profile', profile])).json().map(({ name, state }) => [name, state]),
    );
  const named = (name: string): string => {
    const file = join(root, name);
    copyFileSync(png, file);
    return file;
  };
  const namesOf = async ({ apiKey }: User) => {
    const reply = await fetch(`${server.url}/api/v1/content`, { headers: { authorization: `Bearer ${apiKey}` } });
    return ((await reply.json()) as { items: { originalName: string }[] }).items
      .map((item) => item.originalName)
      .sort();
  };

  it('is never sent to another service by a command for another file, only by `resume`', async () => {
    const [profile, account] = [newProfile(), await server.user()];
    await upload([named('for-one.png')], { profile, url: 'http://127.0.0.1:9', env: key('lsk_of_another_service') });
    const other = { profile, env: key(account.apiKey) };
    expect((await upload([named('for-other.png')], other)).code).toBe(0);
    expect(await statesIn(profile)).toEqual({ 'for-one.png': 'queued', 'for-other.png': 'linked' });
    await performCommand(['queue', 'retry', '--profile', profile]);
    expect((await upload([named('more.png')], other)).code).toBe(0);
    expect(await namesOf(account)).toEqual(['for-other.png', 'more.png']);
    const words = ['resume', '--json', '--profile', profile, '--server', server.url];
    expect((await performCommand(words, key(account.apiKey))).json()).toMatchObject([{ name: 'for-one.png' }]);
    expect(await namesOf(account)).toEqual(['for-one.png', 'for-other.png', 'more.png']);
  });

  it('is never sent with another key of that service, but with its own one by any command', async () => {
    const [profile, mine, other] = [newProfile(), await server.user(), await server.user()];
    const proxy = await startFaultProxy(server.url);
    proxy.fault = () => ({ do: 'answer', status: 503, body: 'not now' });
    const as = ({ apiKey }: User) => ({ profile, url: proxy.url, env: key(apiKey) });
    expect((await upload([named('mine.png')], as(mine))).code).toBe(1);
    proxy.fault = () => null;
    expect((await upload([named('theirs.png')], as(other))).code).toBe(0);
    expect(await statesIn(profile)).toEqual({ 'mine.png': 'queued', 'theirs.png': 'linked' });
    // Its complete is held until that of the kept file has come.
    const kept = Promise.withResolvers<void>();
    proxy.fault = ({ operation, nth }) => {
      if (operation !== 'complete') return null;
      if (nth > 1) kept.resolve();
      return { do: 'hold', until: kept.promise };
    };
    expect((await upload([named('also-mine.png')], as(mine))).code).toBe(0);
    await expect.poll(() => namesOf(mine)).toEqual(['also-mine.png', 'mine.png']);
    expect(await namesOf(other)).toEqual(['theirs.png']);
    await proxy.close();
  });
});

describe('the uploaded source', () => {
  const published = async (id: unknown) => {
    const reply = await fetch(`${server.url}/api/v1/content/${id}`, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    return (await reply.json()) as Record<string, unknown>;
  };
  const perform = (words: readonly string[], input?: Buffer) =>
    performCommand(
      ['upload', ...words, '--json', '--server', server.url, '--profile', newProfile()],
      { ...key(), LINKSHOT_PASSWORD: 'only for friends' },
      input,
    );

  it('may be a pattern, which means its files in order without folders and hidden ones, and the settings hold for each', async () => {
    const folder = join(root, 'shots');
    mkdirSync(join(folder, 'folder.png'), { recursive: true });
    for (const name of ['b.png', 'a.png', '.hidden.png', '[x].png']) copyFileSync(png, join(folder, name));
    const { code, json } = await perform([join(folder, '*.png'), '--visibility', 'unlisted', '--tags', 'one,two']);
    expect(code).toBe(0);
    expect(json().map(({ name }) => String(name).slice(folder.length + 1))).toEqual(['[x].png', 'a.png', 'b.png']);
    expect(await published(json()[0]?.['id'])).toMatchObject({
      ...{ visibility: 'unlisted', tags: ['one', 'two'], passwordProtected: true },
    });
    expect((await perform([join(folder, '[x].png')])).json()).toMatchObject([{ name: join(folder, '[x].png') }]);
    expect(errorOf((await perform([join(folder, '*.webp')])).json()[0])).toMatchObject({
      ...{ code: 'SOURCE_MISSING', message: expect.stringContaining('pattern') },
    });
  });

  it('may be in a hidden folder that the pattern names, but in no other', async () => {
    const folder = join(root, '.shots');
    mkdirSync(join(folder, '.deeper'), { recursive: true });
    for (const name of ['a.png', '.b.png', '.deeper/c.png']) copyFileSync(png, join(folder, name));
    const names = async (...pattern: string[]) =>
      (await perform([join(folder, ...pattern)])).json().map(({ name }) => String(name).slice(folder.length + 1));
    expect(await names('*.png')).toEqual(['a.png']);
    expect(await names('**', '*.png')).toEqual(['a.png']);
    expect(await names('.d*', '*.png')).toEqual([join('.deeper', 'c.png')]);
  });

  it('is converted without asking, and the output describes the result', async () => {
    const padded = join(root, 'large.png');
    writeFileSync(padded, Buffer.concat([readFileSync(png), Buffer.alloc(11 * MIB)]));
    const wide = await video('wide.mp4', {
      ...{ size: '1600x200', seconds: 1 },
      args: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    });
    const { code, json } = await performCommand(
      ['upload', padded, wide, '--json', '--server', server.url, '--profile', newProfile(), '--fit', 'smaller'],
      key(),
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      { type: 'IMAGE', made: { kind: 'image', after: { bytes: expect.any(Number) } } },
      { type: 'VIDEO', made: { kind: 'video', before: { width: 1600 }, after: { width: 1280 } } },
    ]);
  });

  it('may come through the standard input, under the name that is given', async () => {
    const { code, json } = await perform(['-', '--name', 'plot.png', '--title', 'A plot'], readFileSync(png));
    expect([code, json()]).toMatchObject([0, [{ name: 'plot.png', type: 'IMAGE' }]]);
    expect(await published(json()[0]?.['id'])).toMatchObject({ title: 'A plot', originalName: 'plot.png' });
    expect(errorOf((await perform(['-'])).json()[0]).code).toBe('SOURCE_EMPTY');
  });

  it('can be tried out first, and then nothing is sent', async () => {
    const stranger = await server.user();
    const words = ['upload', png, await goodMp4(), '--dry-run', '--json', '--server', server.url];
    const { code, json } = await performCommand([...words, '--profile', newProfile()], key(stranger.apiKey));
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      { name: png, preview: { kind: 'image' } },
      { preview: { kind: 'video', video: { way: expect.any(String) } } },
    ]);
    const headers = { authorization: `Bearer ${stranger.apiKey}` };
    const listed = await fetch(`${server.url}/api/v1/content`, { headers });
    expect(await listed.json()).toMatchObject({ items: [] });
  });

  it('of a dry run is not reported as waiting in the queue', async () => {
    const profile = newProfile();
    const { code, stderr } = await performCommand(['upload', png, '--dry-run', '--profile', profile]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('not connected') });
    expect(stderr).not.toContain('queue');
    expect((await performCommand(['status', '--json', '--profile', profile])).stdout).toBe('');
  });

  it('again with other settings replaces the unfinished item, so that it is published once with the new settings', async () => {
    const profile = newProfile();
    const words = ['upload', png, '--json', '--profile', profile];
    await performCommand([...words, '--server', 'http://127.0.0.1:9'], key(), undefined, { clock: hurriedClock() });
    const { json } = await performCommand([...words, '--server', server.url, '--one-time'], key());
    expect(await published(json()[0]?.['id'])).toMatchObject({ oneTime: true });
    expect((await performCommand(['status', '--json', '--profile', profile])).json()).toMatchObject([
      { state: 'linked' },
    ]);
  });
});

describe('a failure is a sentence of its own', () => {
  const sentences = new Set<string>();
  const fails = async (answer: ReturnType<typeof upload>, code: string, advice: RegExp) => {
    const { code: exit, json } = await answer;
    const { code: reported, message } = errorOf(json()[0]);
    expect({ exit, reported }).toEqual({ exit: 1, reported: code });
    expect(message).toMatch(advice);
    expect(message).not.toMatch(/[{}]|undefined|Error:/);
    expect(sentences).not.toContain(message);
    sentences.add(message);
  };

  it('for a file that is not there, a folder, and an empty file', async () => {
    await fails(upload([join(root, 'none.png')]), 'SOURCE_MISSING', /Check the name/);
    mkdirSync(join(root, 'folder'), { recursive: true });
    await fails(upload([join(root, 'folder')]), 'SOURCE_NOT_A_FILE', /linkshot folder DIR/);
    writeFileSync(join(root, 'empty.png'), '');
    await fails(upload([join(root, 'empty.png')]), 'SOURCE_EMPTY', /empty/);
  });

  it('for an address where nothing answers, soon, and the file stays in the queue for `resume`', async () => {
    const profile = newProfile();
    const clock = hurriedClock();
    const words = uploadWords([png], { profile, url: 'http://127.0.0.1:9' });
    await fails(performCommand(...words, undefined, { clock }), 'CONNECTION_REFUSED', /Check the address/);
    expect(clock.monotonic()).toBeLessThan(10_000);
    const resumed = await performCommand(['resume', '--json', '--profile', profile, '--server', server.url], key());
    expect(resumed.code).toBe(0);
    expect(resumed.json()).toMatchObject([{ name: 'shot.png' }]);
  });

  it('for an address where something else answers', async () => {
    const portal = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'));
    portal.listen(0, '127.0.0.1');
    await new Promise((resolve) => portal.once('listening', resolve));
    const url = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
    await fails(upload([png], { url }), 'NOT_THE_SERVICE', /not belong to a file sharing service/);
    portal.close();
  });

  it('for an address on this computer that does not support https; without a scheme http is used', async () => {
    const failed = await upload([png], { url: server.url.replace('http:', 'https:') });
    expect(errorOf(failed.json()[0])).toMatchObject({
      code: 'TLS_FAILED',
      message: expect.stringContaining('http://'),
    });
    expect((await upload([png], { url: server.url.replace('http://', '') })).code).toBe(0);
  });

  it('for an invalid address, and one that would send the key unencrypted', async () => {
    await fails(upload([png], { url: 'my server' }), 'ADDRESS_INVALID', /https:\/\//);
    await fails(upload([png], { url: 'http://share.example.com' }), 'INSECURE_ADDRESS', /https/);
  });

  it('for a key that is unknown, expired, revoked, or lacks a permission', async () => {
    await fails(upload([png], { env: key('lsk_unknown') }), 'API_KEY_INVALID', /Check LINKSHOT_KEY/);
    await fails(
      upload([png], { env: key((await server.user({ expiresAt: 1 })).apiKey) }),
      'API_KEY_EXPIRED',
      /new key/,
    );
    const gone = await server.user();
    await server.server.keys.revoke(gone.keyId);
    await fails(upload([png], { env: key(gone.apiKey) }), 'API_KEY_REVOKED', /new key/);
    const reader = await server.user({ scopes: ['account:read'] });
    await fails(upload([png], { env: key(reader.apiKey) }), 'SCOPE_MISSING', /content:write/);
  });

  it('for a type that the service refuses, and nothing of it stays in the queue', async () => {
    const profile = newProfile();
    const text = join(root, 'notes.png');
    writeFileSync(text, 'not a picture at all');
    await fails(upload([text], { profile }), 'UPLOAD_FORMAT_UNSUPPORTED', /PNG, JPEG/);
    expect((await performCommand(['status', '--json', '--profile', profile])).json()).toEqual([]);
  });

  it('for what is refused by the last request, and then nothing of it stays in the queue either', async () => {
    const proxy = await startFaultProxy(server.url);
    proxy.fault = ({ operation }) =>
      operation === 'complete'
        ? { do: 'answer', status: 400, body: '{"code":"INVALID_INPUT","detail":"Not so."}' }
        : null;
    const profile = newProfile();
    await fails(upload([png], { profile, url: proxy.url }), 'INVALID_INPUT', /Not so/);
    expect((await performCommand(['status', '--json', '--profile', profile])).json()).toEqual([]);
    expect(proxy.requests.at(-1)).toMatchObject({ operation: 'cancel', answer: { status: 204 } });
    await proxy.close();
  });

  it('for a full account', async () => {
    const small = await startServer({
      config: { plans: { free: { quotaBytes: 100, imageBytes: 10 * MIB, videoBytes: 10 * MIB, features: [] } } },
    });
    await fails(
      upload([png], { url: small.url, env: key((await small.user()).apiKey) }),
      'QUOTA_EXCEEDED',
      /no space left/,
    );
    await small.stop();
  });

  it('for a command line that cannot be run, with the exit code 2', async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['fold', 'x'], /Unknown command "fold"\./],
      [['upload'], /Missing file/],
      [[], /No command given/],
      [['upload', 'x', '--sever', 'y'], /--sever/],
      [['status', 'x'], /takes no arguments/],
      [['upload', 'x', '--server', 'https://x'], /LINKSHOT_KEY/],
    ];
    for (const [args, sentence] of cases) {
      const { code, stderr, stdout } = await performCommand(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
    }
    const { json, code } = await runCommand(['fold', '--json']);
    expect(code).toBe(2);
    expect(errorOf(json()[0]).code).toBe('COMMAND_INVALID');
  });
});

it('no error of what never entered the queue recommends resume, which would not continue it', () => {
  for (const code of Object.keys({ ...SERVICE_ERRORS, ...APP_ERRORS }) as ErrorCode[])
    expect(errorMessageOf(failure(code, ''), 'nothing')).not.toContain('linkshot resume');
  expect(errorMessageOf(failure('DISK_FULL', ''), 'nothing')).toContain('Free some space, then repeat the command.');
  expect(errorMessageOf(failure('DISK_FULL', ''))).toContain('then run linkshot resume.');
});

describe('an interrupted upload', () => {
  itWith('signals')(
    'is kept by Ctrl+C, which says so, listed by `status`, and finished by `resume` without sending it all again',
    async () => {
      const profile = newProfile();
      const file = join(root, 'long.mp4');
      makeVideo(file, 20 * MIB);
      const proxy = await startGatedProxy(server.url, 9 * MIB);
      const running = startCommand(['upload', file, '--json', '--profile', profile, '--server', proxy.url], key());
      await expect.poll(() => proxy.passed()).toBeGreaterThan(8 * MIB);
      running.child.kill('SIGINT');
      const stopped = await running.done;
      expect(stopped.code).toBe(130);
      expect(errorOf(stopped.json()[0])).toMatchObject({ code: 'CANCELLED' });
      expect(errorOf(stopped.json()[0]).message).toContain('linkshot resume');

      const listed = (await runCommand(['status', '--json', '--profile', profile])).json();
      expect(listed).toMatchObject([{ name: 'long.mp4', state: 'started' }]);

      const before = proxy.passed();
      proxy.open();
      const resumed = await runCommand(['resume', '--json', '--profile', profile, '--server', proxy.url], key());
      expect(resumed.json()).toMatchObject([{ name: 'long.mp4', size: 20 * MIB }]);
      expect(proxy.passed() - before).toBeLessThan(20 * MIB - Number(listed[0]?.['confirmedBytes']) + MIB);
      await proxy.close();
    },
  );
});

describe('a file that is touched while it is sent', () => {
  it('is the same file as long as its bytes are: the upload continues, and no received part is sent again', async () => {
    const [account, file] = [await server.user(), join(root, 'touched.mp4')];
    makeVideo(file, 12 * MIB);
    const proxy = await startFaultProxy(server.url);
    proxy.fault = ({ operation, nth }) => {
      if (operation === 'part' && nth === 0) utimesSync(file, new Date(), new Date());
      return null;
    };
    const { code, stderr, json } = await upload([file], { url: proxy.url, env: key(account.apiKey) });
    expect({ code, stderr, lines: json().length }).toEqual({ code: 0, stderr: '', lines: 1 });
    expect(proxy.requests.filter(({ operation }) => operation === 'start')).toHaveLength(1);
    const sent = proxy.requests.filter(({ operation }) => operation === 'part').map(({ index }) => index);
    expect([...sent].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    await proxy.close();
  });
});

describe('a command that is killed after its item was published and before it had printed the link', () => {
  const never = new AbortController().signal;
  /** Creates what such a command leaves behind. */
  const publishUndelivered = async (profile: string, account: User, paths: readonly string[]): Promise<void> => {
    const host = await openTestHost(profile, { delivery: 'by command' });
    await host.engine.connection.connect({ server: server.url, key: account.apiKey, keep: 'session' }, never);
    const added = await host.engine.queue.add(
      paths.map((path) => ({ source: { owner: 'user', path }, name: basename(path) })),
      'command',
    );
    for (const id of added.ok ? added.value : []) await host.engine.queue.waitFor({ id, patienceMs: 3_600_000 }, never);
    await host.close();
  };
  const published = async ({ apiKey }: User) =>
    (
      (await (
        await fetch(`${server.url}/api/v1/content`, { headers: { authorization: `Bearer ${apiKey}` } })
      ).json()) as { items: { url: string }[] }
    ).items.map(({ url }) => url);

  it('publishes nothing twice when it is given again, but again once its link was delivered or the file changed', async () => {
    const [profile, account, file] = [newProfile(), await server.user(), join(root, 'undelivered.png')];
    copyFileSync(await image('png'), file);
    await publishUndelivered(profile, account, [file]);
    const again = { profile, env: key(account.apiKey) };
    const links = async () => (await upload([file], { ...again, json: false })).stdout.trim();
    const [first] = await published(account);
    expect([await links(), await published(account)]).toEqual([first, [first]]);
    expect(await links()).not.toBe(first);
    await publishUndelivered(profile, account, [file]);
    const [before] = await published(account);
    copyFileSync(await image('png'), file);
    expect(await links()).not.toBe(before);
  });

  it('has its links printed by `resume`, once', async () => {
    const [profile, account, file] = [newProfile(), await server.user(), join(root, 'for-resume.png')];
    copyFileSync(await image('png'), file);
    await publishUndelivered(profile, account, [file]);
    const resume = () => performCommand(['resume', '--profile', profile, '--server', server.url], key(account.apiKey));
    expect((await resume()).stdout).toBe(`${(await published(account))[0]}\n`);
    expect(await resume()).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Nothing is left') });
  });
});

describe('--copy', () => {
  itWith('programs of Linux')(
    'puts the links on the clipboard, and gives no secret to the program that does it',
    async () => {
      const programs = join(root, 'programs');
      mkdirSync(programs);
      const seen = join(root, 'seen');
      writeFileSync(join(programs, 'xclip'), `#!/bin/sh\ncat > '${seen}'\nenv >> '${seen}'\n`, { mode: 0o700 });
      const env = { ...key(), LINKSHOT_PASSWORD: 'only for friends', DISPLAY: ':0', PATH: `${programs}:/usr/bin:/bin` };
      const words = ['upload', png, '--copy', '--json', '--profile', newProfile(), '--server', server.url];
      const { code, json } = await runCommand(words, env);
      expect(code).toBe(0);
      const text = readFileSync(seen, 'utf8');
      expect(text.startsWith(String(json()[0]?.['url']))).toBe(true);
      expect(text).not.toContain(user.apiKey);
      expect(text).not.toContain('only for friends');
    },
  );
});

describe('a profile that is in use', () => {
  it('is served by its owner: the command hands its files over and prints their links', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const connected = await host.engine.connection.connect(
      { server: server.url, key: user.apiKey, keep: 'session' },
      soon(),
    );
    expect(connected.ok).toBe(true);
    const { code, stdout } = await runCommand(['upload', png, '--profile', profile]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${server.url}/s/`);
    expect(host.engine.state().queue.items).toMatchObject([{ name: 'shot.png', state: 'linked' }]);
    expect((await runCommand(['status', '--json', '--profile', profile])).json()).toMatchObject([{ state: 'linked' }]);

    const elsewhere = await upload([png], { profile, url: 'https://other.example' });
    expect(errorOf(elsewhere.json()[0]).message).toContain('--profile');
    const another = await upload([png], { profile, env: key((await server.user()).apiKey) });
    expect(errorOf(another.json()[0]).message).toContain('with another key');
    expect(host.engine.state().queue.items).toHaveLength(1);
    await host.close();
  });

  it('is continued by the command when its owner ends before the file is published', async () => {
    const profile = newProfile();
    const proxy = await startGatedProxy(server.url, 5 * MIB);
    const host = await openTestHost(profile);
    const signal = soon();
    await host.engine.connection.connect({ server: proxy.url, key: user.apiKey, keep: 'session' }, signal);
    const file = join(root, 'handed.mp4');
    makeVideo(file, 12 * MIB);
    const waiting = startCommand(['upload', file, '--json', '--profile', profile, '--server', proxy.url], key());
    await expect.poll(() => proxy.passed()).toBeGreaterThanOrEqual(5 * MIB);
    const closing = host.close();
    proxy.open();
    await closing;
    const { code, json } = await waiting.done;
    expect(code).toBe(0);
    expect(json()).toMatchObject([{ name: file }]);
    await proxy.close();
  });

  const inUse = async (url: string, account: User) => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const signal = soon();
    await host.engine.connection.connect({ server: url, key: account.apiKey, keep: 'session' }, signal);
    const states = () => host.engine.state().queue.items.map(({ state }) => state);
    return { profile, host, states };
  };

  it('publishes for a command that is killed, and the same command prints that link instead of sending it twice', async () => {
    const proxy = await startGatedProxy(server.url, 3 * MIB);
    const { profile, host, states } = await inUse(proxy.url, await server.user());
    const file = join(root, 'killed.mp4');
    makeVideo(file, 6 * MIB);
    const words = ['upload', file, '--json', '--profile', profile];
    const killed = startCommand(words);
    await expect.poll(() => proxy.passed()).toBeGreaterThan(3 * MIB);
    killed.child.kill('SIGKILL');
    expect((await killed.done).stdout).toBe('');
    proxy.open();
    await expect.poll(states).toEqual(['linked']);
    const [item] = host.engine.state().queue.items;
    const link = item?.state === 'linked' ? item.content.url : null;
    expect((await performCommand(words)).json()).toMatchObject([{ url: link, name: file }]);
    expect(states()).toEqual(['linked']);
    expect((await performCommand(words)).json()[0]?.['url']).not.toBe(link);
    await host.close();
    await proxy.close();
  });

  it('has the links of what commands left in it printed once, by the same command or by `resume`', async () => {
    const { profile, host, states } = await inUse(server.url, await server.user());
    const [text, file] = [join(root, 'left.md'), join(root, 'left.png')];
    writeFileSync(text, '# Left');
    copyFileSync(png, file);
    const perform = (...words: string[]) => performCommand([...words, '--json', '--profile', profile]);
    host.engine.queue.pauseAll();
    for (const words of [
      ['note', text],
      ['upload', file],
    ])
      expect((await perform(...words)).code).toBe(1);
    host.engine.queue.resumeAll();
    await expect.poll(states).toEqual(['linked', 'linked']);
    expect((await perform('note', text)).json()).toMatchObject([{ name: text, type: 'PASTE' }]);
    expect((await perform('resume')).json()).toMatchObject([{ name: 'left.png', type: 'IMAGE' }]);
    expect((await perform('resume')).stdout).toBe('');
    expect(states()).toHaveLength(2);
    await host.close();
  });

  it('publishes what came through the standard input once, when a command that was cut short is given the same again', async () => {
    const { profile, host, states } = await inUse(server.url, await server.user());
    const bytes = readFileSync(png);
    const send = (name: string, input = bytes) =>
      performCommand(['upload', '-', '--name', name, '--json', '--profile', profile], {}, input);
    host.engine.queue.pauseAll();
    for (const _ of ['first', 'second']) expect((await send('a.png')).json()).toMatchObject([{ error: {} }]);
    expect(states()).toEqual(['queued']);
    await send('b.png');
    expect(states()).toHaveLength(2);
    host.engine.queue.resumeAll();
    await expect.poll(states).toEqual(['linked', 'linked']);
    const sent = await Promise.all(['a.png', 'b.png'].map((name) => send(name)));
    expect(sent.map(({ json }) => json()[0])).toMatchObject([{ name: 'a.png' }, { name: 'b.png' }]);
    expect(states()).toHaveLength(2);
    await send('a.png');
    expect(states()).toHaveLength(3);
    await expect.poll(() => readdirSync(host.engine.spoolDir)).toEqual([]);
    await host.close();
  });

  it('lets two concurrent commands publish the same file with different settings', async () => {
    const proxy = await startGatedProxy(server.url, 3 * MIB);
    const { profile, host, states } = await inUse(proxy.url, await server.user());
    const file = join(root, 'two-ways.mp4');
    makeVideo(file, 6 * MIB);
    const begin = (ttl: string) => performCommand(['upload', file, '--ttl', ttl, '--json', '--profile', profile]);
    const day = begin('day');
    await expect.poll(() => proxy.passed()).toBeGreaterThan(3 * MIB);
    const week = begin('week');
    await expect.poll(states).toHaveLength(2);
    proxy.open();
    const links = (await Promise.all([day, week])).map(({ json }) => json()[0]?.['url']);
    expect(links.map((link) => typeof link)).toEqual(['string', 'string']);
    expect(new Set(links).size).toBe(2);
    await host.close();
    await proxy.close();
  });

  it('keeps what the user wrote into it when a command publishes the same file in another way', async () => {
    const { profile, host, states } = await inUse(server.url, await server.user());
    host.engine.queue.pauseAll();
    await host.engine.queue.add([{ source: { owner: 'user', path: png }, name: 'shot.png' }]);
    for (const ttl of ['day', 'week']) await performCommand(['upload', png, '--ttl', ttl, '--profile', profile]);
    await expect.poll(() => host.engine.state().queue.items.map(({ share }) => share.ttl)).toEqual([undefined, 'week']);
    expect(states()).toEqual(['queued', 'queued']);
    await host.close();
  });

  it('lets several commands at once share it, and each prints its own link', async () => {
    const profile = newProfile();
    const files = ['a.png', 'b.png', 'c.png', 'd.png'].map((name) => join(root, name));
    for (const file of files) copyFileSync(png, file);
    const outcomes = await Promise.all(files.map((file) => uploadAlone([file], { profile })));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(files.map(() => [0, '']));
    const ids = outcomes.map(({ json }) => json()[0]?.['id']);
    expect(new Set(ids).size).toBe(files.length);
  });
});
