/** `linkshot capture` on a real X screen, against a real server: the pixels that were shown are behind the link. */
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { type Person, type RunningServer, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openXScreen, type XScreen } from '../support/x-screen.ts';

const root = temporaryFolder('cli-capture');
let server: RunningServer;
let person: Person;
let screen: XScreen;
beforeAll(async () => {
  server = await startServer();
  person = server.person();
  screen = await openXScreen(640, 480);
});
afterAll(async () => {
  await screen.close();
  await server.stop();
});

const capture = (words: readonly string[], display = screen.display) =>
  runCommand(['capture', ...words, '--json', '--profile', join(root, 'profile'), '--server', server.url], {
    LINKSHOT_KEY: person.apiKey,
    DISPLAY: display,
  });

const pixelsBehind = async (id: unknown): Promise<Buffer> => {
  const answer = await fetch(`${server.url}/api/media/${String(id)}`, {
    headers: { authorization: `Bearer ${person.apiKey}` },
  });
  return sharp(await answer.arrayBuffer())
    .raw()
    .toBuffer();
};

describe('capture', () => {
  it('prints the link of a region, and every pixel of it is behind the link', async () => {
    const { code, json } = await capture(['--region', '100,57,333,211']);
    const [line] = json();
    expect({ code, line }).toMatchObject({ code: 0, line: { id: expect.any(String), type: 'IMAGE' } });
    expect((await fetch(String(line?.['url']))).status).toBe(200);
    const shown = screen.pixels({ x: 100, y: 57, width: 333, height: 211 });
    expect((await pixelsBehind(line?.['id'])).equals(shown)).toBe(true);
  });

  it('takes a whole screen by its number', async () => {
    const { json } = await capture(['--screen', '1', '--visibility', 'private']);
    const shown = screen.pixels({ x: 0, y: 0, width: 640, height: 480 });
    expect((await pixelsBehind(json()[0]?.['id'])).equals(shown)).toBe(true);
  });

  it('says on one line what is wrong, and exits with 1', async () => {
    const beyond = await capture(['--region', '600,400,100,100']);
    expect(beyond.code).toBe(1);
    expect(beyond.json()).toMatchObject([{ error: { code: 'CAPTURE_AREA_INVALID' } }]);
    const blind = await capture(['--screen'], '');
    expect(blind.code).toBe(1);
    expect(blind.json()).toMatchObject([{ error: { code: 'CAPTURE_UNAVAILABLE' } }]);
  });
});
