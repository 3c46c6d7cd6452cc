/** The server's command line (API decisions 9), beside a real server and as real processes. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { npm } from '../../../scripts/test-run/package-command.ts';
import { ENGINES } from '../../support/engines/engines.ts';
import { describeAbout } from '../../support/engines/only-on-engines.ts';
import { ANY_BITRATE, mp4Bytes, pngBytes } from '../../support/media/sample-bytes.ts';
import { isWindows, itWith, unless } from '../../support/only-on.ts';
import { giveAway, isReachable, isRoot, NOBODY, notGiven } from '../../support/other-user.ts';
import { SERVER_CLI } from '../../support/programs.ts';
import { rawRequest } from '../../support/server/raw-http.ts';
import {
  type ServerProcess,
  serverCommand,
  serverCommandAlone,
  startServer,
  startServerProcess,
} from '../../support/server/server.ts';
import { ask, partsOf, uploader } from '../../support/server/service-client.ts';
import { queryData } from '../../support/server/stored-bytes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
/** On Windows npm has no program that starts by its name alone, and names its script to what it runs. */
const itWithNpm = isWindows && process.env['npm_execpath'] === undefined ? itWith('npm on this machine') : it;
const folder = temporaryFolder('command-line');
const data = join(folder, 'data');
let service: ServerProcess;
beforeAll(async () => {
  service = await startServerProcess(data);
});
afterAll(() => service.end('SIGKILL'));

const account = (key: string) => ask(service.url, { path: '/api/v1/account', key });

/** A command that must fail, in this process or as a separate one: its exit code and output. */
const failingBy =
  (command: typeof serverCommand) =>
  (...args: readonly string[]): Promise<{ code: number; stderr: string; stdout: string }> =>
    command(...args).then(
      () => Promise.reject(new Error('The command did not fail.')),
      (error: { code: number; stderr: string; stdout: string }) => error,
    );
const failing = failingBy(serverCommand);
const failingAlone = failingBy(serverCommandAlone);

describe('while the server runs', () => {
  it('account add and key add make a key that works, key revoke and account ban end it, account unban lifts the ban', async () => {
    const made = await serverCommandAlone('account', 'add', 'alice', '--plan', 'free', '--data', data);
    expect(made).toEqual({ id: expect.any(String), username: 'alice' });
    const scopes = 'account:read,content:write';
    const key = await serverCommand('key', 'add', '--account', 'alice', '--scopes', scopes, '--data', data);
    expect(key).toEqual({ id: expect.any(String), apiKey: expect.stringMatching(/^lsk_/) });
    const second = await serverCommand('key', 'add', '--account', 'alice', '--scopes', scopes, '--data', data);
    const answer = await account(key['apiKey'] ?? '');
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ user: expect.objectContaining({ id: made['id'] }) }),
    ]);

    await serverCommand('key', 'revoke', key['id'] ?? '', '--data', data);
    expect((await account(key['apiKey'] ?? '')).problem.code).toBe('API_KEY_REVOKED');
    await serverCommand('account', 'ban', 'alice', '--data', data);
    expect((await account(second['apiKey'] ?? '')).problem.code).toBe('ACCOUNT_BANNED');
    const lifted = await serverCommand('account', 'unban', 'alice', '--data', data);
    expect(lifted).toEqual({ id: made['id'], username: 'alice', banned: false });
    expect((await account(second['apiKey'] ?? '')).status).toBe(200);
  });

  it('account plan gives a plan with an end and takes it away', async () => {
    await serverCommand('account', 'add', 'planner', '--plan', 'free', '--data', data);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const given = await serverCommand('account', 'plan', 'planner', 'pro', '--until', until, '--data', data);
    expect(given).toMatchObject({ username: 'planner', plan: 'pro', until });
    const key = await serverCommand('key', 'add', '--account', 'planner', '--scopes', 'account:read', '--data', data);
    const plan = async () => ((await account(key['apiKey'] ?? '')).body as { user: { plan: unknown } }).user.plan;
    expect(await plan()).toMatchObject({ code: 'pro', trial: false, until });
    await serverCommand('account', 'plan', 'planner', 'free', '--data', data);
    expect(await plan()).toBeNull();
    expect((await failing('account', 'plan', 'planner', 'gold', '--data', data)).stderr).toContain(
      'PLAN must be one of',
    );
  });

  it('account password changes the password and is refused for a short one', async () => {
    await serverCommand('account', 'add', 'changer', '--plan', 'free', '--data', data);
    const args = ['account', 'password', 'changer', '--data', data];
    expect(await serverCommand(...args, '--password', 'open sesame')).toMatchObject({ passwordChanged: true });
    const body = new URLSearchParams({ username: 'changer', password: 'open sesame' });
    const answer = await fetch(`${service.url}/sign-in`, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect((await failing(...args, '--password', 'short')).code).toBe(1);
  });

  it('key add takes a time in the past', async () => {
    await serverCommand('account', 'add', 'late', '--plan', 'pro', '--data', data);
    const args = ['--account', 'late', '--scopes', 'account:read', '--expires', '2020-01-01T00:00:00Z'];
    const key = await serverCommand('key', 'add', ...args, '--data', data);
    expect((await account(key['apiKey'] ?? '')).problem.code).toBe('API_KEY_EXPIRED');
  });

  it('a password is stored as an Argon2id hash', async () => {
    await serverCommand('account', 'add', 'pat', '--plan', 'free', '--password', 'open sesame', '--data', data);
    const [row] = await queryData<{ passwordHash: string }>(
      data,
      `SELECT passwordHash FROM accounts WHERE username = 'pat'`,
    );
    expect(row?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it('content hold hides an item from others, and none shows it again', async () => {
    await serverCommand('account', 'add', 'mod', '--plan', 'free', '--data', data);
    const key = await serverCommand(
      ...['key', 'add', '--account', 'mod', '--scopes', 'content:write,account:read', '--data', data],
    );
    const apiKey = key['apiKey'] ?? '';
    const { body } = await ask<{ user: { id: never } }>(service.url, { path: '/api/v1/account', key: apiKey });
    const done = await uploader(service.url, { accountId: body.user.id, apiKey }).publish(await pngBytes());
    const { id = '', url = '' } = done.body.content ?? {};
    const page = async (): Promise<number> => (await ask(service.url, { path: new URL(url).pathname })).status;
    expect(await page()).toBe(200);
    await serverCommand('content', 'hold', id, 'blocked', '--data', data);
    expect(await page()).toBe(404);
    await serverCommand('content', 'hold', id, 'none', '--data', data);
    expect(await page()).toBe(200);
  });

  it('a second server on the folder is refused', async () => {
    const { code, stderr } = await failingAlone('serve', '--port', '0', '--data', data);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another server is running on this data folder')]);
  });
});

describe('an address that cannot be had', () => {
  it.each([
    ['a port in use', 'is in use by another program', () => ['--port', new URL(service.url).port]],
    ['a foreign address', '192.0.2.1 is not an address of this computer', () => ['--port', '0', '--host', '192.0.2.1']],
  ])('ends the command with what to do: %s', async (_what, words, address) => {
    const other = join(folder, 'unheard');
    const { code, stdout, stderr } = await failingAlone('serve', ...address(), '--data', other);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(words)]);
  });
});

describe('a command that cannot be done', () => {
  beforeAll(() => serverCommand('account', 'add', 'twice', '--plan', 'free', '--data', data));

  it.each<[string, number, readonly string[]]>([
    ['exists already', 1, ['account', 'add', 'TWICE', '--plan', 'free']],
    ['An account name is', 1, ['account', 'add', '../x', '--plan', 'free']],
    ['--plan must be one of free, pro', 2, ['account', 'add', 'x', '--plan', 'gold']],
    ['needs --plan', 2, ['account', 'add', 'x']],
    ['needs NAME', 2, ['account', 'add', '--plan', 'free']],
    ['no account named nobody', 1, ['account', 'ban', 'nobody']],
    ['no account named nobody', 1, ['key', 'add', '--account', 'nobody', '--scopes', 'account:read']],
    ['--scopes must be one of', 2, ['key', 'add', '--account', 'twice', '--scopes', 'all']],
    [
      '--expires must be an ISO time',
      2,
      ['key', 'add', '--account', 'twice', '--scopes', 'account:read', '--expires', 'soon'],
    ],
    [
      '--expires must be an ISO time',
      2,
      ['key', 'add', '--account', 'twice', '--scopes', 'account:read', '--expires', '2027-02-30T00:00:00Z'],
    ],
    ['--until must be an ISO time', 2, ['account', 'plan', 'twice', 'pro', '--until', '2027-02-30']],
    ['no key with the id x', 1, ['key', 'revoke', 'x']],
    ['no item with the id x', 1, ['content', 'hold', 'x', 'blocked']],
    ['HOLD must be one of', 2, ['content', 'hold', 'x', 'maybe']],
    ['Unknown command "frobnicate"', 2, ['frobnicate']],
    ['--port must be a number', 2, ['serve', '--port', 'http']],
    ['does not take --plan', 2, ['account', 'ban', 'twice', '--plan', 'free']],
    ['must be empty or have 8 to 128 characters', 1, ['account', 'add', 'y', '--plan', 'free', '--password', 'short']],
  ])('says "%s" on stderr, with exit code %i and nothing on stdout', async (message, code, args) => {
    const failed = await failing(...args, '--data', data);
    expect(failed.stderr).toContain(message);
    expect([failed.code, failed.stdout]).toEqual([code, '']);
    expect(failed.stderr).not.toContain('    at ');
  });

  it.each<[string, number, readonly string[]]>([
    ['no account named nobody', 1, ['account', 'ban', 'nobody']],
    ['needs NAME', 2, ['account', 'ban']],
  ])('says "%s" as a process of its own too, and ends with %i', async (message, code, args) => {
    const failed = await failingAlone(...args, '--data', data);
    expect(failed).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(failed.stderr).not.toContain('    at ');
  });

  it.each<[string, readonly string[]]>([
    ['--host', ['serve', '--host', '']],
    ['--port', ['serve', '--port', '']],
    ['--role', ['serve', '--role', '']],
    ['--password', ['account', 'add', 'z', '--plan', 'free', '--password', '']],
    ['--name', ['key', 'add', '--account', 'twice', '--scopes', 'account:read', '--name', '']],
    ['--until', ['account', 'plan', 'twice', 'pro', '--until', '']],
  ])('names an empty %s, which a variable that is not set leaves', async (option, args) => {
    const failed = await failing(...args, '--data', data);
    expect([failed.code, failed.stderr]).toEqual([2, `${option} has no value.\n`]);
    expect((await failing(...args.slice(0, -2), '--data', '')).stderr).toBe('--data has no value.\n');
  });

  it
    .runIf(ENGINES.records === 'sqlite')
    .each<[readonly string[]]>([
      [['account', 'plan', 'x', 'pro']],
      [['account', 'password', 'x', '--password', 'open sesame']],
      [['account', 'ban', 'x']],
      [['account', 'unban', 'x']],
      [['key', 'add', '--account', 'x', '--scopes', 'account:read']],
      [['key', 'revoke', 'x']],
      [['keys', 'rotate']],
      [['content', 'hold', 'x', 'none']],
      [['objects', 'check']],
    ])('creates nothing on a mistyped folder: %j', async (args) => {
    const missing = join(folder, 'mistyped');
    const failed = await failing(...args, '--data', missing);
    expect([failed.code, failed.stdout]).toEqual([1, '']);
    expect(failed.stderr).toContain(`${missing} is no data folder of a server`);
    expect([existsSync(missing), existsSync(`${missing}.key`)]).toEqual([false, false]);
  });

  it('that cannot lock its folder says so, and of no other server', async () => {
    const broken = join(folder, 'broken-lock');
    mkdirSync(broken);
    writeFileSync(join(broken, 'serve.lock'), 'x'.repeat(4_096));
    const { code, stderr } = await failing('serve', '--port', '0', '--data', broken);
    expect([code, stderr]).toEqual([1, expect.stringContaining('serve.lock cannot be locked (SQLITE_NOTADB: ')]);
    expect(stderr).not.toContain('Another server');
  });

  it('without --data reports that', async () => {
    expect(await failing('account', 'ban', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs --data'),
    });
  });

  it.runIf(process.platform === 'linux')(
    `on a data folder that cannot be created exits immediately with the reason${unless('read-only folder /proc')}`,
    async () => {
      const { code, stderr } = await failingAlone('serve', '--port', '0', '--data', '/proc/linkshot/data');
      expect([code, stderr]).toEqual([1, expect.stringContaining("mkdir '/proc/linkshot'")]);
    },
  );

  it('with a wrong configuration does not start and names the key', async () => {
    await expect(startServerProcess(`${data}-2`, { config: { limits: { nonsense: 1 } } })).rejects.toThrow(
      'Unknown configuration key "limits.nonsense"',
    );
  });
});

describe('SIGTERM', () => {
  itWith('signals')(
    'fault 44: completes a part in progress with 200, answers new requests 503, and exits with 0',
    async () => {
      const folder = join(temporaryFolder('drain'), 'data');
      const { id } = await serverCommand('account', 'add', 'd', '--plan', 'free', '--data', folder);
      const key = await serverCommand('key', 'add', '--account', 'd', '--scopes', 'content:write', '--data', folder);
      const server = await startServerProcess(folder, { config: ANY_BITRATE });
      const user = { accountId: id as never, apiKey: key['apiKey'] ?? '' };
      const bytes = await mp4Bytes(3 * MIB);
      const [first = new Uint8Array()] = partsOf(bytes);
      const upload = (await uploader(server.url, user).start(bytes)).body.id;
      const part = rawRequest(server.url, `PUT /api/v1/uploads/resumable/${upload}/parts/0`, {
        authorization: `Bearer ${user.apiKey}`,
        'content-length': String(first.length),
        expect: '100-continue',
      });
      await part.begun;
      part.send(first.subarray(0, MIB));
      const ended = server.end('SIGTERM');
      await expect.poll(() => server.stderr()).toContain('SIGTERM');
      const refused = await uploader(server.url, user).status(upload);
      expect([refused.status, refused.problem.code]).toEqual([503, 'UPLOAD_SERVER_BUSY']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      part.send(first.subarray(MIB));
      expect((await part.answer).status).toBe(200);
      expect(await ended).toBe(0);
      expect(await queryData(folder, 'SELECT receivedBytes FROM uploads')).toEqual([{ receivedBytes: first.length }]);
    },
  );

  it('does not wait for a viewer with a paused video', async () => {
    const server = await startServer({ config: ANY_BITRATE });
    const done = await uploader(server.url, await server.user()).publish(await mp4Bytes(60 * MIB));
    expect(done.status).toBe(200);
    const viewer = rawRequest(server.url, `GET ${done.body.content?.mediaUrl}`, {});
    await new Promise((resolve) => viewer.socket.once('data', resolve));
    viewer.socket.pause();
    // The test would end here if it waited.
    await server.stop();
    viewer.socket.destroy();
  });

  itWithNpm('ends the process that npm starts, and only the line of JSON is on stdout', async () => {
    const folder = join(temporaryFolder('npm'), 'data');
    const run = promisify(execFile);
    const [program, ...words] = npm();
    const started = run(
      program,
      [...words, 'run', '--silent', 'server', '--', 'account', 'add', 'n', '--plan', 'free', '--data', folder],
      {
        cwd: resolve(import.meta.dirname, '../../..'),
      },
    );
    expect((await started).stdout).toMatch(/^\{"id":"[^"]+","username":"n"\}\n$/);
  });
});

describeAbout('SQLite', 'local files')('run as root on a data folder of another user', () => {
  const newKey = (): string => randomBytes(32).toString('base64url');
  const skip = !isRoot || !isReachable(SERVER_CLI);

  it('every command leaves only files of that user (skipped unless run as root)', { skip }, async () => {
    // The other user may not enter the folder for temporary files of this run.
    const open = mkdtempSync('/var/tmp/linkshot-of-nobody-');
    onTestFinished(() => rmSync(open, { recursive: true }));
    chmodSync(open, 0o755);
    const folder = join(open, 'data');
    const keyFile = join(open, 'keys');
    const config = join(open, 'config.json');
    mkdirSync(folder);
    chownSync(folder, NOBODY, NOBODY);
    const [old, next] = [newKey(), newKey()];
    const putKeys = (...keys: readonly string[]): void => {
      writeFileSync(keyFile, keys.join('\n'), { mode: 0o600 });
      chownSync(keyFile, NOBODY, NOBODY);
    };
    putKeys(old);
    // For root alone, as it may have secrets.
    writeFileSync(config, JSON.stringify({ keyFile }), { mode: 0o600 });
    const run = async (...args: readonly string[]) => {
      const printed = await serverCommandAlone(...args, '--data', folder, '--config', config);
      expect([args, notGiven(folder)]).toEqual([args, []]);
      return printed;
    };
    await run('account', 'add', 'ann', '--plan', 'free');
    for (const keys of [[old], [next, old]]) {
      putKeys(...keys);
      const server = await startServer({ data: folder, config: { keyFile } });
      await server.stop();
      giveAway(folder);
    }
    expect(await run('doctor')).toMatchObject({ ok: true });
    expect(await run('keys', 'rotate')).toMatchObject({ done: true });
    expect(await run('objects', 'check')).toMatchObject({ ok: true });
    await run('key', 'add', '--account', 'ann', '--scopes', 'content:read');
  });
});
