/** A second process reaches the owner of a profile and notices its end; other users cannot connect. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentNotifier } from '../../src/engine/node-ports.ts';
import { createMemoryKeyStore } from '../../src/engine/profile/system-key-store.ts';
import { startHostCore } from '../../src/host/start-host-core.ts';
import { writeInstanceFile } from '../../src/ipc/host/instance-file.ts';
import { connectToInstance } from '../../src/ipc/host/instance-socket.ts';
import { itWith } from '../support/only-on.ts';
import { openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BARE } from '../support/window/bare-capabilities.ts';
import { windowsRights } from '../support/windows-rights.ts';

const root = temporaryFolder('instance');

describe('instance socket', () => {
  it('carries commands and events to the owner of the profile', async () => {
    const profile = join(root, 'one');
    const host = await openTestHost(profile);
    const instance = await connectToInstance(profile);
    const states: string[] = [];
    instance?.on((event) => states.push(event.type));
    expect(await instance?.call('app.show', {})).toEqual({ ok: true, value: {} });
    expect(host.shown()).toBe(1);
    const file = join(root, 'a.png');
    writeFileSync(file, 'bytes');
    expect(await instance?.call('queue.addPaths', { paths: [file] })).toMatchObject({ ok: true });
    expect(host.engine.state().queue.items).toHaveLength(1);
    await expect.poll(() => states).toContain('state');
    instance?.close();
  });

  itWith('modes of files')('belongs only to the user', async () => {
    const profile = join(root, 'two');
    await openTestHost(profile);
    expect(statSync(join(profile, 'instance.sock')).mode & 0o777).toBe(0o600);
  });

  it('has a secret that Windows closes to others first; where it refuses, nothing is written', async () => {
    const profile = join(root, 'windows');
    mkdirSync(profile);
    const facts = { socket: 'pipe', secret: 's'.repeat(43) };
    const draft = join(profile, 'instance.json.new');
    await expect(writeInstanceFile(profile, facts, windowsRights(true))).rejects.toThrow(
      `${draft} can be read by other`,
    );
    expect(readdirSync(profile).map((name) => readFileSync(join(profile, name), 'utf8'))).toEqual(['']);
    const windows = windowsRights();
    await writeInstanceFile(profile, facts, windows);
    expect(windows.closed).toEqual([draft]);
    expect(JSON.parse(readFileSync(join(profile, 'instance.json'), 'utf8'))).toEqual(facts);
  });

  it('answers nothing when the profile has no owner', async () => {
    mkdirSync(join(root, 'three'));
    expect(await connectToInstance(join(root, 'three'))).toBeNull();
  });

  it('replaces the socket file that a killed owner left behind', async () => {
    const profile = join(root, 'four');
    mkdirSync(profile);
    writeFileSync(join(profile, 'instance.sock'), '');
    await openTestHost(profile);
    const instance = await connectToInstance(profile);
    expect(await instance?.call('app.state', {})).toMatchObject({ ok: true });
    instance?.close();
  });

  it('fails the pending calls when the owner ends, and reports the lost connection', async () => {
    const profile = join(root, 'five');
    const host = await openTestHost(profile);
    const instance = await connectToInstance(profile);
    if (!instance) throw new Error('not connected');
    const file = join(root, 'b.png');
    writeFileSync(file, 'bytes');
    const added = await instance.call('queue.addPaths', { paths: [file] });
    const [id] = added.ok ? added.value.ids : [];
    if (!id) throw new Error('not added');
    const waiting = instance.call('queue.waitFor', { id, patienceMs: 60_000 });
    await host.close();
    expect(await waiting).toMatchObject({ ok: false });
    await expect.poll(() => instance.isLost()).toBe(true);
    expect(await instance.call('app.state', {})).toMatchObject({ error: { code: 'PROFILE_BUSY' } });
    expect(existsSync(join(profile, 'instance.sock'))).toBe(false);
  });

  it('works for a profile whose path is too long for a socket', async () => {
    const profile = join(root, 'x'.repeat(60), 'y'.repeat(60));
    await openTestHost(profile);
    const instance = await connectToInstance(profile);
    expect(await instance?.call('app.state', {})).toMatchObject({ ok: true });
    instance?.close();
  });

  it('drops a peer that sends no valid commands', async () => {
    const profile = join(root, 'six');
    await openTestHost(profile);
    const socket = connect(join(profile, 'instance.sock'));
    socket.on('error', () => {});
    socket.resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve));
  });

  it('is what a second host must use', async () => {
    const profile = join(root, 'seven');
    await openTestHost(profile);
    const second = await startHostCore({
      profileDir: profile,
      secrets: async () => createMemoryKeyStore(),
      clipboard: null,
      notifier: silentNotifier,
      opener: { open: async () => ({ ok: true, value: undefined }) },
      environment: {},
      capabilities: BARE,
      show: () => ({ ok: true, value: undefined }),
      log: () => {},
    });
    expect(second).toMatchObject({ ok: false, error: { code: 'PROFILE_BUSY' } });
  });
});
