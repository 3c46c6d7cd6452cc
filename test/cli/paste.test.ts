/** `linkshot paste` with a real clipboard of a real X server: the link leads to the copied content. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClipboardReader } from '../../src/host/read-clipboard-with-programs.ts';
import { writeXClipboard } from '../support/browser/x-clipboard.ts';
import { performCommand } from '../support/command-line.ts';
import { image } from '../support/media/media.ts';
import { openTestHost } from '../support/open-host.ts';
import { soon } from '../support/poll-timeouts.ts';
import { openXScreen, type XScreen } from '../support/screen/x-screen.ts';
import { type RunningServer, startServer, type User } from '../support/server/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('cli-paste');
let server: RunningServer;
let user: User;
let screen: XScreen;
beforeAll(async () => {
  server = await startServer();
  user = await server.user();
  screen = await openXScreen(64, 48);
});
afterAll(async () => {
  await screen.close();
  await server.stop();
});

const copy = (kind: string, bytes: Buffer | string): Promise<void> => writeXClipboard(screen, bytes, kind);
const paste = (display = screen.display) =>
  performCommand(['paste', '--json', '--profile', join(root, 'profile'), '--server', server.url], {
    LINKSHOT_KEY: user.apiKey,
    DISPLAY: display,
  });
const behind = async (id: unknown): Promise<Buffer> => {
  const headers = { authorization: `Bearer ${user.apiKey}` };
  const media = await fetch(`${server.url}/api/media/${String(id)}?download=1`, { headers });
  return Buffer.from(await media.arrayBuffer());
};
const rgb = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer();

describe('paste', () => {
  it('reports an empty clipboard, and a clipboard that cannot be reached', async () => {
    const nothing = await paste();
    expect(nothing.code).toBe(1);
    expect(nothing.json()).toMatchObject([{ error: { message: expect.stringContaining('Copy an image') } }]);
    const blind = await paste('');
    expect(blind.json()).toMatchObject([{ error: { message: expect.stringContaining('cannot be read from here') } }]);
  });

  it('publishes a picture', async () => {
    const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await copy('image/png', picture);
    const [line] = (await paste()).json();
    expect(line).toMatchObject({ name: 'clipboard.png', type: 'IMAGE' });
    expect((await rgb(await behind(line?.['id']))).equals(await rgb(picture))).toBe(true);
  });

  it('publishes copied files, and not their names as a note', async () => {
    const path = join(root, 'a picture.png');
    await copyFile(await image('png'), path);
    await copy('text/uri-list', `${pathToFileURL(path).href}\r\nhttps://example.com/other.png\r\n`);
    const lines = (await paste()).json();
    expect(lines).toMatchObject([{ name: path, type: 'IMAGE' }]);
  });

  it('publishes text as a note', async () => {
    await copy('UTF8_STRING', 'Привет, мир');
    const [line] = (await paste()).json();
    expect(line).toMatchObject({ type: 'PASTE' });
    const headers = { authorization: `Bearer ${user.apiKey}` };
    const read = await fetch(`${server.url}/api/v1/content/${String(line?.['id'])}/text`, { headers });
    expect(await read.json()).toMatchObject({ text: 'Привет, мир' });
  });

  it('that was cut short is the same item when it is given again, and publishes nothing twice', async () => {
    const [account, profile] = [await server.user(), join(root, 'in-use')];
    const host = await openTestHost(profile, {
      copied: createClipboardReader(process.platform, { ...process.env, DISPLAY: screen.display }),
    });
    await host.engine.connection.connect({ server: server.url, key: account.apiKey, keep: 'session' }, soon());
    const states = () => host.engine.state().queue.items.map(({ state }) => state);
    const file = join(root, 'twice.png');
    await copyFile(await image('png'), file);
    const again = () => performCommand(['paste', '--json', '--profile', profile], { DISPLAY: screen.display });
    const pictures = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'navy' } })
      .png()
      .toBuffer();
    const copies: readonly (readonly [string, Buffer | string])[] = [
      ['image/png', pictures],
      ['text/uri-list', `${pathToFileURL(file).href}\r\n`],
      ['UTF8_STRING', 'said once'],
    ];
    for (const [index, [kind, bytes]] of copies.entries()) {
      await copy(kind, bytes);
      host.engine.queue.pauseAll();
      for (const _ of ['first', 'second']) expect((await again()).json()).toMatchObject([{ error: {} }]);
      expect(states()).toHaveLength(index + 1);
      host.engine.queue.resumeAll();
      await expect.poll(states).toEqual(Array.from({ length: index + 1 }, () => 'linked'));
      const [published] = (await again()).json();
      expect(published).toMatchObject({ url: expect.stringContaining('/s/') });
      expect(states()).toHaveLength(index + 1);
    }
    const [second] = (await again()).json();
    expect(states()).toHaveLength(copies.length + 1);
    expect(second).toMatchObject({ type: 'PASTE' });
    await host.close();
  });
});
