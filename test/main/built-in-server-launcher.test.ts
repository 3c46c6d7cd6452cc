/** The built-in server of the desktop app, with a stand-in for its process. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UtilityProcess } from 'electron';
import { expect, it } from 'vitest';
import { createTryOut, SERVER_PROGRAM, type TryOutDeps } from '../../src/main/try-out/built-in-server-launcher.ts';
import type { FromServer } from '../../src/main/try-out/process-messages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const programDir = temporaryFolder('try-out');

/** A process that answers each first message with the next of these. */
const makeTryOut = (environment: TryOutDeps['environment'], ...answers: readonly FromServer[]) => {
  const left = [...answers];
  const killed: number[] = [];
  const restarted: unknown[] = [];
  const servers: EventEmitter[] = [];
  const environments: unknown[] = [];
  writeFileSync(join(programDir, SERVER_PROGRAM), '');
  const tryOut = createTryOut({
    ...{ profileDir: programDir, programDir, environment, log: () => {} },
    clock: { sleep: () => Promise.resolve() },
    onRestart: (place) => restarted.push(place),
    fork: (_program, _args, options) => {
      environments.push(options?.env);
      const server = new EventEmitter();
      const number = servers.push(server);
      return Object.assign(server, {
        postMessage: () => queueMicrotask(() => server.emit('message', left.shift())),
        kill: () => killed.push(number) > 0 && server.emit('exit', 1),
      }) as unknown as UtilityProcess;
    },
  });
  if (!tryOut) throw new Error('no program');
  return { tryOut, killed, restarted, servers, environments };
};

const BEGUN = { kind: 'begun', server: 'http://127.0.0.1:1', key: 'first' } as const;

it('starts once for all callers', async () => {
  const { tryOut, servers } = makeTryOut({}, BEGUN);
  expect(await Promise.all([tryOut.begin(), tryOut.begin()])).toMatchObject([{ key: 'first' }, { key: 'first' }]);
  expect(servers).toHaveLength(1);
});

it('that could not start reports the reason, and is started again on the next request', async () => {
  const { tryOut, killed } = makeTryOut({}, { kind: 'failed', detail: 'The disk is full.' }, BEGUN);
  await expect(tryOut.begin()).rejects.toThrow('The disk is full.');
  expect(killed).toEqual([1]);
  expect(await tryOut.begin()).toMatchObject({ key: 'first' });
});

it('that ends by itself is started again, and its new key is handed on', async () => {
  const { tryOut, servers, restarted } = makeTryOut({}, BEGUN, { ...BEGUN, key: 'second' });
  await tryOut.begin();
  servers[0]?.emit('exit', 139);
  await expect.poll(() => restarted).toMatchObject([{ key: 'second' }]);
});

it('lets a program that looks into files find the computer’s programs, however Windows spells its PATH', async () => {
  for (const spelled of ['PATH', 'Path', 'path']) {
    const settings = { flags: [], environment: {} };
    const start = { kind: 'inspector', act: 'start', id: 1, settings } as const;
    const { tryOut, servers, environments } = makeTryOut({ [spelled]: 'C:\\tools' }, BEGUN);
    await tryOut.begin();
    servers[0]?.emit('message', start);
    expect(environments).toEqual([{ [spelled]: 'C:\\tools' }, { PATH: 'C:\\tools' }]);
  }
});
