/** The service from the command line: the account, connecting with a key or in the browser, and the doctor. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../../src/api/errors.ts';
import { errorMessageOf } from '../../src/cli/error-messages.ts';
import type { SecretStore } from '../../src/engine/ports.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { performCommand, startCommand } from '../support/command-line.ts';
import { forgetKeyPlaces } from '../support/earlier-profile.ts';
import { connectTo, openEngine } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { itWith } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { formBrowser, userWithPassword } from '../support/server/signed-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Processes and encoders start slowly on a crowded machine; nothing here is about speed.

const root = temporaryFolder('cli-service');
let server: RunningServer;
let user: User;
let profiles = 0;

const newProfile = (): string => join(root, `profile-${profiles++}`);
const environment = () => ({ LINKSHOT_SERVER: server.url, LINKSHOT_KEY: user.apiKey });
const errorOf = (line: Record<string, unknown> | undefined) => line?.['error'] as { code: string; message: string };

beforeAll(async () => {
  server = await startServer({ config: { limits: { guestRequestsPerMinute: 10_000 } } });
  user = await userWithPassword(server);
});
afterAll(() => server.stop());

describe('whoami', () => {
  it('prints the account of the key, its plan and its permissions, and never the key', async () => {
    const { code, json, stdout } = await performCommand(['whoami', '--json', '--profile', newProfile()], environment());
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        ...{ id: user.accountId, username: user.username, server: server.url, plan: 'free', keyPlace: 'session' },
        key: { scopes: expect.arrayContaining(['content:write']) },
      },
    ]);
    expect(stdout).not.toContain(user.apiKey);
    const human = await performCommand(['whoami', '--profile', newProfile()], environment());
    expect(human.stdout).toMatch(/\nStorage +0 bytes of 1 GiB \(0 %\)\n/);
  });

  it('names no end of a plan that has none', async () => {
    const { apiKey } = await server.user({ plan: 'pro' });
    const { stdout } = await performCommand(['whoami', '--profile', newProfile()], {
      ...{ LINKSHOT_SERVER: server.url, LINKSHOT_KEY: apiKey },
    });
    expect(stdout).toMatch(/\nPlan +Pro\n/);
  });

  it('explains what to do without a connection, and does not mention files', async () => {
    const { code, json } = await performCommand(['whoami', '--json', '--profile', newProfile()]);
    expect(code).toBe(1);
    expect(errorOf(json()[0]).code).toBe('NOT_CONNECTED');
    expect(errorOf(json()[0]).message).not.toContain('queue');
  });

  it('names the path on another computer that a folder leads to, and what to do', () => {
    const params = { system: 'EREMOTE', name: '//host/share' };
    expect(errorMessageOf(failure('SOURCE_UNREADABLE', '', { params }))).toMatch(
      /^The folder leads git to \/\/host\/share, .* share a copy without \.git\.$/,
    );
  });

  it('asks for the drive of a file that was read when its drive went away', () => {
    const gone = failure('SOURCE_UNREADABLE', '', { params: { system: 'EIO' } });
    expect(errorMessageOf(gone)).toMatch(/cannot be read right now\. .*its drive is connected.* linkshot resume\.$/);
  });

  it('reports when a rate-limited service accepts requests again', () => {
    const said = (afterMs: number) => errorMessageOf(failure('RATE_LIMITED', '', { afterMs }), 'nothing');
    expect([3_000, 180_000].map(said)).toEqual([
      expect.stringMatching(/ in a minute\.$/),
      expect.stringMatching(/ in 3 minutes\.$/),
    ]);
  });
});

describe('connect', () => {
  it('with a key lasts as long as the running Linkshot, whose account is shown, and disconnect removes it', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const words = ['connect', server.url, '--key', '-', '--json', '--profile', profile];
    const connected = await performCommand(words, {}, `${user.apiKey}\n`);
    expect(connected).toMatchObject({ code: 0, stderr: '' });
    expect(connected.json()).toMatchObject([{ id: user.accountId, server: server.url }]);
    expect(host.engine.state().connection).toMatchObject({ state: 'connected', server: server.url });
    const gone = await performCommand(['disconnect', '--json', '--profile', profile]);
    expect(gone.json()).toEqual([{ disconnected: server.url }]);
    expect(host.engine.state().connection).toEqual({ state: 'none' });
    await host.close();
  });

  it('may be repeated for further accounts, and `accounts` chooses which of them new items go to', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const other = await server.user();
    for (const { apiKey } of [user, other])
      await performCommand(['connect', server.url, '--profile', profile], { LINKSHOT_KEY: apiKey });
    const active = async (...words: string[]) => {
      const { json } = await performCommand(['accounts', ...words, '--json', '--profile', profile]);
      return Object.fromEntries(json().map((line) => [line['username'], line['active']]));
    };
    expect(await active()).toEqual({ [user.username]: false, [other.username]: true });
    expect(await active(user.username)).toEqual({ [user.username]: true, [other.username]: false });
    expect(host.engine.state().connection).toMatchObject({ account: { user: { id: user.accountId } } });
    const several = await performCommand(['accounts', server.url, '--profile', profile]);
    expect([several.code, several.stderr]).toEqual([1, expect.stringContaining('2 accounts match this name')]);
    await host.close();
  });

  it('in the browser shows a code, and is connected when the user has approved', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const visitor = formBrowser(server);
    await visitor.signIn(user.username);
    const connecting = performCommand(['connect', server.url, '--json', '--profile', profile]);
    await expect.poll(() => host.opened.length).toBe(1);
    const fields = Object.fromEntries(new URL(host.opened[0] ?? '').searchParams);
    const decided = await visitor.post('/connect', { ...fields, decision: 'approve' });
    await request(decided.headers['location'] ?? '');
    const { code, json } = await connecting;
    expect(json()).toMatchObject([
      { userCode: expect.stringMatching(/^\w{4}-\w{4}$/), address: expect.stringContaining('/connect') },
      { id: user.accountId, username: user.username },
    ]);
    expect(code).toBe(0);
    await host.close();
  });

  it('that is stopped while it waits is cancelled in the running Linkshot too', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    const stop = new AbortController();
    const words = ['connect', server.url, '--json', '--profile', profile];
    const connecting = performCommand(words, {}, '', { signal: stop.signal });
    await expect.poll(() => host.engine.state().authorization).toMatchObject({ state: 'waiting', browser: 'opened' });
    stop.abort();
    expect((await connecting).code).toBe(130);
    await expect.poll(() => host.engine.state().authorization).toBeNull();
    await host.close();
  });

  itWith('desktop without a key store')(
    'alone, where no key store keeps a key, says so instead of seeming to work, and adds no account to the profile',
    async () => {
      const profile = newProfile();
      const words = ['connect', server.url, '--json', '--profile', profile];
      const { code, json } = await startCommand(words, { LINKSHOT_KEY: user.apiKey }).done;
      expect(code).toBe(1);
      expect(json()).toMatchObject([{ id: user.accountId }, { error: { code: 'KEY_STORE_FAILED' } }]);
      expect(errorOf(json()[1]).message).toMatch(/no key store.*LINKSHOT_KEY/);
      expect((await performCommand(['accounts', '--json', '--profile', profile])).json()).toEqual([]);
    },
  );

  itWith('desktop without a key store')(
    'alone, where no key store keeps a key, says so before it asks for an approval',
    async () => {
      const { code, json } = await startCommand(['connect', server.url, '--json', '--profile', newProfile()]).done;
      expect(code).toBe(1);
      expect(json()).toMatchObject([{ error: { code: 'KEY_STORE_FAILED' } }]);
    },
  );

  itWith('desktop without a key store')(
    'is undone without the key store only by a wish to leave the key there',
    async () => {
      const profile = newProfile();
      const secrets: SecretStore = { ...createMemoryKeyStore(), place: 'keyring' };
      const { engine } = await openEngine(profile, { secrets });
      await connectTo(engine, server.url, user.apiKey);
      await engine.close();
      const words = ['disconnect', '--json', '--profile', profile];
      const refused = await performCommand(words);
      expect([refused.code, errorOf(refused.json()[0])]).toEqual([
        1,
        expect.objectContaining({ code: 'KEY_STORE_FAILED', message: expect.stringContaining('--leave-key') }),
      ]);
      expect((await performCommand(['accounts', '--json', '--profile', profile])).json()).toHaveLength(1);
      const left = await performCommand([...words, '--leave-key']);
      expect(left.json()).toEqual([{ disconnected: server.url, keyMayBeLeft: true }]);
      expect((await performCommand(['accounts', '--json', '--profile', profile])).json()).toEqual([]);
    },
  );

  itWith('desktop without a key store')(
    'by an earlier version, whose key may have been in memory, is undone with a word on the key that may be left',
    async () => {
      const profile = newProfile();
      const { engine } = await openEngine(profile, { secrets: { ...createMemoryKeyStore(), place: 'keyring' } });
      await connectTo(engine, server.url, user.apiKey);
      await engine.close();
      forgetKeyPlaces(profile);
      const { code, stdout, stderr } = await performCommand(['disconnect', '--profile', profile]);
      expect([code, stdout]).toEqual([0, `Disconnected from ${server.url}.\n`]);
      expect(stderr).toContain(`key for ${server.url} may be left`);
    },
  );

  it('needs an address, and a good key', async () => {
    const nowhere = await performCommand(['connect', '--json', '--profile', newProfile()]);
    expect([nowhere.code, errorOf(nowhere.json()[0]).message]).toEqual([
      2,
      expect.stringContaining('linkshot connect https://'),
    ]);
    const words = ['connect', server.url, '--json', '--profile', newProfile()];
    const unknown = await performCommand(words, { LINKSHOT_KEY: 'lsk_unknown' });
    expect(errorOf(unknown.json()[0]).code).toBe('API_KEY_INVALID');
  });
});

describe('the doctor', () => {
  const examine = async (env: Record<string, string>, profile = newProfile()) => {
    const { code, json } = await performCommand(['doctor', '--json', '--profile', profile], env);
    const states = Object.fromEntries(json().map(({ check, state }) => [check, state]));
    return { code, states, checks: json() };
  };

  it('finds everything well where it is, and gives advice where it is not', async () => {
    const { code, states, checks } = await examine(environment());
    expect({ code, ...states }).toMatchObject({
      ...{
        code: 0,
        disk: 'ok',
        video: expect.stringMatching(/ok|warn/),
        text: expect.stringMatching(/ok|warn/),
        profile: 'ok',
        queue: 'ok',
        spool: 'ok',
        service: 'ok',
        clock: 'ok',
        account: 'ok',
      },
    });
    for (const { state, advice } of checks) expect(advice === null).toBe(state === 'ok');
  });

  /** Each doctor run tests its encoders; once is enough. */
  const noFfmpeg = { LINKSHOT_FFMPEG: join(root, 'no-ffmpeg') };

  it('fails, with the exit code, for another kind of service, an unreachable one, a wrong clock and a bad key', async () => {
    const wrong = createServer((asked, reply) => {
      if (asked.url?.startsWith('/portal')) return void reply.end('<h1>Sign in</h1>');
      if (asked.url?.startsWith('/stopping'))
        return void reply.writeHead(503, { 'content-type': 'application/problem+json' }).end('{"code":"INTERNAL"}');
      const late = new Date(Date.now() - 3_600_000).toUTCString();
      reply.writeHead(401, { 'content-type': 'application/problem+json', date: late }).end('{"code":"AUTH_REQUIRED"}');
    });
    const port = await freePort();
    await new Promise<void>((listening) => wrong.listen(port, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${port}`;
    const portal = await examine({ ...noFfmpeg, LINKSHOT_SERVER: `${url}/portal`, LINKSHOT_KEY: 'k' });
    expect(portal).toMatchObject({ code: 1, states: { service: 'fail', video: 'warn' } });
    expect(portal.states).not.toHaveProperty('account');
    const stopping = await examine({ ...noFfmpeg, LINKSHOT_SERVER: `${url}/stopping`, LINKSHOT_KEY: 'k' });
    expect(stopping.states).toMatchObject({ service: 'warn' });
    const late = await examine({ ...noFfmpeg, LINKSHOT_SERVER: url });
    expect(late).toMatchObject({ code: 1, states: { service: 'ok', clock: 'fail' } });
    expect(late.checks.find(({ check }) => check === 'clock')?.['message']).toMatch(/1 h.* ahead of the service/);
    wrong.closeAllConnections();
    wrong.close();
    expect(await examine({ ...noFfmpeg, LINKSHOT_SERVER: url })).toMatchObject({
      code: 1,
      states: { service: 'fail' },
    });
    const unknown = await examine({ ...noFfmpeg, LINKSHOT_SERVER: server.url, LINKSHOT_KEY: 'lsk_unknown' });
    expect(unknown).toMatchObject({ code: 1, states: { service: 'ok', account: 'fail' } });
  });

  it('fails where the environment names another service than that of the profile, as the other commands refuse', async () => {
    const profile = newProfile();
    const host = await openTestHost(profile);
    await performCommand(['connect', server.url, '--profile', profile], { LINKSHOT_KEY: user.apiKey });
    const other = await startServer();
    const found = await examine({ ...noFfmpeg, LINKSHOT_SERVER: other.url }, profile);
    expect(found).toMatchObject({ code: 1, states: { service: 'ok', account: 'fail' } });
    expect(found.checks.find(({ check }) => check === 'account')?.['message']).toContain(
      `this profile is connected to ${server.url}`,
    );
    await host.close();
    await other.stop();
  });

  it('takes an address as every other command does, and refuses what they refuse', async () => {
    const bare = environment().LINKSHOT_SERVER.replace('http://', '');
    const found = await examine({ ...environment(), ...noFfmpeg, LINKSHOT_SERVER: bare });
    expect(found).toMatchObject({ code: 0, states: { service: 'ok', account: 'ok' } });
    for (const [address, message] of [
      ['ftp://share.example.com', 'not the address of a service'],
      ['http://share.example.com', 'https'],
    ]) {
      const { code, checks } = await examine({ ...noFfmpeg, LINKSHOT_SERVER: address as string });
      expect(code).toBe(1);
      expect(checks.find(({ check }) => check === 'service')).toMatchObject({
        ...{ state: 'fail', message: expect.stringContaining(message as string) },
      });
    }
  });

  it('tells which languages of text in pictures can be read', async () => {
    const data = join(root, 'tessdata');
    const without = await examine({ ...noFfmpeg, LINKSHOT_TESSDATA: data });
    expect(without.checks).toContainEqual(
      expect.objectContaining({ check: 'text', state: 'warn', advice: expect.stringContaining('tesseract-ocr-rus') }),
    );
    mkdirSync(data);
    writeFileSync(join(data, 'rus.traineddata'), 'data');
    expect((await examine({ ...noFfmpeg, LINKSHOT_TESSDATA: data })).states).toMatchObject({ text: 'ok' });
  });

  itWith('read-only folder /proc')('reports a folder that cannot be written', async () => {
    const { code, states, checks } = await examine(noFfmpeg, '/proc/linkshot/profile');
    expect({ code, ...states }).toMatchObject({ code: 1, disk: 'fail', profile: 'fail' });
    const disk = checks.find(({ check }) => check === 'disk');
    expect(disk).toMatchObject({
      message: expect.stringContaining('/proc/linkshot/profile cannot be used'),
      advice: expect.stringContaining('another --profile'),
    });
  });

  it('warns of a key that may not do everything, and of a queue that waits', async () => {
    const reader = await server.key(user, { scopes: ['account:read'] });
    const profile = newProfile();
    await performCommand(['queue', 'pause', '--profile', profile]);
    const { code, states } = await examine(
      { ...noFfmpeg, LINKSHOT_SERVER: server.url, LINKSHOT_KEY: reader.apiKey },
      profile,
    );
    expect({ code, ...states }).toMatchObject({ code: 0, account: 'warn' });
  });
});
