/**
 * The dispatcher passes only valid commands of permitted senders to the engine, and returns only results or failures.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../src/api/errors.ts';
import type { CaptureId } from '../../src/api/ids.ts';
import type { EngineCommands } from '../../src/engine/engine.ts';
import { createDispatcher } from '../../src/ipc/host/dispatcher.ts';
import { ownInstance } from '../../src/ipc/host/instance-socket.ts';
import { COMMANDS } from '../../src/ipc/protocol/command-table.ts';
import { type OpenedHost, openTestHost } from '../support/open-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BARE } from '../support/window/bare-capabilities.ts';

const root = temporaryFolder('dispatcher');
const { signal } = new AbortController();
let host: OpenedHost;

beforeAll(async () => {
  host = await openTestHost(join(root, 'profile'));
});

describe('dispatcher', () => {
  it('answers a page its state, with the capabilities of the host', async () => {
    const state = await host.dispatcher.dispatch('page', 'app.state', {}, signal);
    expect(state).toMatchObject({ ok: true, value: { capabilities: { clipboard: 'page' }, queue: { items: [] } } });
  });

  it('finds every command of the table in the engine, except those of the host', async () => {
    const ofEngine = Object.entries(COMMANDS).filter(([, row]) => !('by' in row));
    expect(ofEngine.length).toBeGreaterThan(70);
    for (const [command] of ofEngine) {
      const [feature, name] = command.split('.') as [keyof EngineCommands, string];
      expect(typeof Reflect.get(host.engine[feature], name), command).toBe('function');
    }
    const { copy, format } = host.engine.link;
    // @ts-expect-error A feature without one of its commands is no engine.
    const withoutOpen: EngineCommands['link'] = { copy, format };
    // @ts-expect-error A command has the input of the table.
    const otherInput: EngineCommands['link'] = { ...withoutOpen, open: async (_: { link: string }) => ok({}) };
    expect(otherInput).toHaveProperty('copy', copy);
  });

  it('gives every command that is meant for the owner to the owner only', async () => {
    const owned = Object.entries(COMMANDS).filter(([, { from }]) => from === 'owner');
    expect(owned.length).toBeGreaterThan(2);
    for (const [command] of owned)
      expect(await host.dispatcher.dispatch('page', command, {}, signal)).toMatchObject({
        error: { code: 'COMMAND_INVALID', detail: 'A page may not give this command.' },
      });
    expect(await host.dispatcher.dispatch('owner', 'app.show', {}, signal)).toEqual({ ok: true, value: {} });
    expect(host.shown()).toBe(1);
  });

  it('shows the window on the screen that a page names', async () => {
    const shown: unknown[] = [];
    const dispatcher = createDispatcher({
      ...{ ...host, capabilities: BARE },
      show: (screen) => ok(shown.push(screen)),
      log: () => {},
    });
    for (const input of [{ screen: 'settings' }, {}]) await dispatcher.dispatch('page', 'app.show', input, signal);
    expect(shown).toEqual(['settings', undefined]);
  });

  it('reports where the host cannot pin images', async () => {
    const id = '0b0e7a52-5f0a-4c0f-9f43-1de1c3f4b001';
    const inputs = {
      read: { id },
      change: { id, change: { kind: 'opacity', opacity: 0.5 } },
      act: { id, action: 'close' },
      clipboard: {},
    };
    for (const [command, input] of Object.entries(inputs))
      expect(await host.dispatcher.dispatch('page', `pin.${command}`, input, signal), command).toMatchObject({
        error: { code: 'COMMAND_INVALID', detail: 'Images cannot be pinned here.' },
      });
  });

  it('refuses invalid commands and inputs, and never throws', async () => {
    const commands = fc.oneof(fc.constantFrom(...Object.keys(COMMANDS)), fc.string(), fc.constant('__proto__'));
    const harmless = new Set(['connection.connect', 'connection.embed', 'queue.waitFor', 'link.open']);
    await fc.assert(
      fc.asyncProperty(commands, fc.jsonValue(), async (command, input) => {
        if (harmless.has(command)) return;
        const answer = await host.dispatcher.dispatch('owner', command, input, signal);
        if (!answer.ok) expect(typeof answer.error.code).toBe('string');
      }),
      { numRuns: 300 },
    );
    for (const input of [null, 7, 'x', [], {}, { ids: [] }, { ids: ['../x'] }, { ids: 'x' }])
      expect(await host.dispatcher.dispatch('page', 'queue.cancel', input, signal)).toMatchObject({
        error: { code: 'COMMAND_INVALID' },
      });
    expect(host.logged).toEqual([]);
  });

  it('refuses what no command knows from an owner, and names it', async () => {
    for (const command of Object.keys(COMMANDS))
      expect(await host.dispatcher.dispatch('owner', command, { newer: 1 }, signal), command).toMatchObject({
        error: { code: 'COMMAND_INVALID', detail: expect.stringContaining('does not know "newer"') },
      });
    const file = join(root, 'unknown.png');
    writeFileSync(file, 'not empty');
    const input = { paths: [file], job: { kind: 'file', fit: 'clip', fps: 5 }, share: { viewLimit: 1, opens: 2 } };
    expect(await host.dispatcher.dispatch('owner', 'queue.addPaths', input, signal)).toMatchObject({
      error: { detail: expect.stringContaining('does not know "job.fps", "share.opens"') },
    });
    expect(host.engine.state().queue.items.map(({ name }) => name)).not.toContain('unknown.png');
    expect(input.share).toEqual({ viewLimit: 1, opens: 2 });
  });

  it('removes what it does not know from what a page sends', async () => {
    const screen = { screen: 'settings', newer: 1 };
    expect(await host.dispatcher.dispatch('page', 'app.show', screen, signal)).toEqual({ ok: true, value: {} });
  });

  it('is sent nothing that it does not know by a client whose types are checked', async () => {
    const instance = ownInstance(host.dispatcher, signal);
    const [target, opens] = [{ mode: 'screen', number: 1 } as const, { viewLimit: 1, opens: 2 }];
    const request = { target, pointer: 'hide', delaySeconds: 0, share: opens } as const;
    // @ts-expect-error A variable has a key that the schema of the command lacks.
    const answer = await instance.call('capture.take', request);
    expect(answer).toMatchObject({ error: { detail: expect.stringContaining('"share.opens"') } });
  });

  it('adds the files of an owner by their paths, and names those that are not files', async () => {
    const file = join(root, 'a.png');
    writeFileSync(file, 'not empty');
    const added = await host.dispatcher.dispatch('owner', 'queue.addPaths', { paths: [file] }, signal);
    expect(added).toMatchObject({ ok: true });
    expect(host.engine.state().queue.items.map(({ name }) => name)).toContain('a.png');
    const paths = [join(root, 'none.png')];
    expect(await host.dispatcher.dispatch('owner', 'queue.addPaths', { paths }, signal)).toMatchObject({
      error: { code: 'SOURCE_MISSING' },
    });
  });

  it('sends the state to a page that connects late, and the picture that waits for a page', () => {
    const eventsFor = (waiting: CaptureId | null) => {
      const types: string[] = [];
      const engine = { ...host.engine, capture: { ...host.engine.capture, pendingCopy: () => waiting } };
      createDispatcher({ ...host, engine, capabilities: BARE, show: () => ok(undefined), log: () => {} }).on((event) =>
        types.push(event.type),
      )();
      return types;
    };
    expect(eventsFor(null)).toEqual(['state']);
    expect(eventsFor('0a1b2c3d-0000-4000-8000-000000000001' as CaptureId)).toEqual(['state', 'picture']);
  });

  it('reports a listener that throws, once, and goes on with its work and the other listeners', async () => {
    const heard: string[] = [];
    const stops = [
      host.dispatcher.on(() => {
        throw new Error('of a listener');
      }),
      host.dispatcher.on(({ type }) => heard.push(type)),
    ];
    heard.length = 0;
    const update = (editAfterCapture: boolean) =>
      host.dispatcher.dispatch('page', 'settings.update', { editAfterCapture }, signal);
    expect(await update(true)).toMatchObject({ ok: true });
    await expect.poll(() => heard).toContain('state');
    for (const stop of stops) stop();
    expect(host.logged.filter((line) => line.includes('of a listener'))).toEqual([
      expect.stringMatching(/^A listener failed: Error: of a listener\n/),
    ]);
  });

  it('hides the details of an internal error from a page, and logs them', async () => {
    const logged: string[] = [];
    const dispatcher = createDispatcher({
      ...host,
      capabilities: BARE,
      show: () => {
        throw new Error('secret path /home/me');
      },
      log: (line) => logged.push(line),
    });
    const answer = await dispatcher.dispatch('owner', 'app.show', {}, signal);
    expect(answer).toMatchObject({ ok: false, error: { code: 'APP_FAILED' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(logged.join()).toContain('secret path');
  });

  it.each([
    ['the database', new Database.SqliteError('database or disk is full', 'SQLITE_FULL')],
    ['a file', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ])('reports a full disk as such, whichever command finds no space for %s', async (_, error) => {
    const dispatcher = createDispatcher({
      ...host,
      capabilities: BARE,
      show: () => {
        throw error;
      },
      log: () => {},
    });
    expect(await dispatcher.dispatch('owner', 'app.show', {}, signal)).toMatchObject({
      ok: false,
      error: { code: 'DISK_FULL' },
    });
  });
});
