/** The calls of pages in the main process, over a double of `electron`. */
import { beforeEach, expect, it } from 'vitest';
import { ok, type Result } from '../../src/api/errors.ts';
import { DESKTOP_CHANNELS } from '../../src/ipc/protocol/preload-api.ts';
import { type IpcDeps, serveIpc } from '../../src/main/ipc.ts';
import { desktop, invokeFrom, resetDesktop } from '../support/electron/index.ts';

beforeEach(resetDesktop);

it('are awaited by a quit, also those that others have asked for meanwhile', async () => {
  const answers = [Promise.withResolvers<Result<unknown>>(), Promise.withResolvers<Result<unknown>>()];
  const left = [...answers];
  const dispatcher = { dispatch: () => left.shift()?.promise } as Partial<IpcDeps['dispatcher']>;
  const served = serveIpc({ dispatcher } as IpcDeps, new AbortController().signal);
  const call = () =>
    invokeFrom({ url: 'app://linkshot/index.html', parent: null }, DESKTOP_CHANNELS.call, 'library.update', {});
  await served.idle();

  const first = call();
  let isIdle = false;
  const idle = served.idle().then(() => {
    isIdle = true;
  });
  const second = call();
  answers[0]?.resolve(ok({}));
  expect(await first).toMatchObject({ ok: true });
  expect(isIdle).toBe(false);
  answers[1]?.reject(new Error('a bug in a command'));
  await expect(second).rejects.toThrow('a bug');
  await idle;
  expect(isIdle).toBe(true);
  served.stop();
  expect(desktop.handlers.size).toBe(0);
});
