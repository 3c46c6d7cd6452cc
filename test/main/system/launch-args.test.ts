/** Parsing launch arguments, including links from anywhere: a page cannot act without the user. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { err, type Failure, failure, ok, type Result } from '../../../src/api/errors.ts';
import { coalesceLaunches } from '../../../src/main/system/coalesce-launches.ts';
import { readLink } from '../../../src/main/system/deep-link.ts';
import { handleLaunches } from '../../../src/main/system/handle-launch.ts';
import { parseStart, profileOf, readStart, type Start } from '../../../src/main/system/launch-args.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HERE = { cwd: '/home/ann', appPath: null };
const start = (change: Partial<Start>): Start => ({ paths: [], link: null, isHidden: false, ...change });
const NEVER = new AbortController().signal;

describe('the arguments of a start', () => {
  it('name files from where it was started, and are no switches', () => {
    const args = ['--profile', '/tmp/p', 'a b.png', '/tmp/c.png', 'file:///tmp/d%20e.png', '--no-sandbox', '--hidden'];
    expect(readStart(args, HERE)).toEqual({
      paths: ['/home/ann/a b.png', '/tmp/c.png', '/tmp/d e.png'],
      link: null,
      isHidden: true,
    });
    expect(profileOf(args)).toBe('/tmp/p');
    expect(profileOf(['a.png'])).toBeUndefined();
  });

  it('do not take the app itself, or a script of the test driver, for a file to share', () => {
    const args = ['-r', '/driver/loader.js', '--inspect=0', '/opt/linkshot', '--profile', '/tmp/p', 'a.png'];
    expect(readStart(args, { cwd: '/home/ann', appPath: '/opt/linkshot' }).paths).toEqual(['/home/ann/a.png']);
  });

  it('with a link are the link alone: a page cannot bring files along', () => {
    for (const args of [
      ['linkshot://capture?mode=region', '/etc/passwd'],
      ['/etc/passwd', '--hidden', 'LINKSHOT://open/home'],
      ['linkshot://x" "/etc/passwd', '/etc/passwd'],
    ])
      expect(readStart(args, HERE)).toMatchObject({ paths: [], link: expect.stringMatching(/^linkshot:/i) });
  });

  it('reach the running app as data that is checked', () => {
    const notices = start({ paths: ['/a'], isHidden: true });
    expect(parseStart(JSON.parse(JSON.stringify(notices)))).toEqual(notices);
    for (const wrong of [
      null,
      {},
      'x',
      { ...notices, paths: '/a' },
      { ...notices, paths: [1] },
      { ...notices, link: 7 },
    ])
      expect(parseStart(wrong)).toBeNull();
  });
});

describe('a linkshot:// link', () => {
  it('shows a screen or lets the user choose a region', () => {
    expect(readLink('linkshot://capture?mode=region')).toEqual({ kind: 'capture', mode: 'region' });
    expect(readLink('linkshot://capture/?mode=region')).toEqual({ kind: 'capture', mode: 'region' });
    for (const screen of ['home', 'library', 'settings'])
      expect(readLink(`linkshot://open/${screen}`)).toEqual({ kind: 'open', screen });
  });

  it('can do nothing else, however it is written', () => {
    const hostile = [
      'linkshot://capture',
      // These would publish without a choice by the user.
      'linkshot://capture?mode=all',
      'linkshot://capture?mode=last',
      'linkshot://capture?mode=region&mode=all',
      'linkshot://capture?mode=region&delay=0',
      'linkshot://capture?mode=region#x',
      'linkshot://capture?mode=region\n--profile=/tmp/x',
      'linkshot://capture?mode=%72egion',
      'linkshot://CAPTURE?mode=region',
      'linkshot://user:password@capture?mode=region',
      'linkshot://capture:80?mode=region',
      'linkshot://capture/../open/home?mode=region',
      'linkshot:capture?mode=region',
      'linkshot:///capture?mode=region',
      'linkshot://open/home/../../etc/passwd',
      'linkshot://open/https://evil.example/',
      'linkshot://open?url=https://evil.example/',
      'linkshot://open/item/1',
      'linkshot://upload?path=/etc/passwd',
      'linkshot://connect?server=https://evil.example&key=lsk_x',
      'linkshot://settings?server=https://evil.example',
      'javascript:alert(1)',
      'file:///etc/passwd',
      ' linkshot://open/home',
      'linkshot://open/home ',
      `linkshot://open/${'x'.repeat(100_000)}`,
      '',
    ];
    for (const link of hostile) expect(readLink(link), link.slice(0, 80)).toBeNull();
  });
});

describe('several starts within a moment', () => {
  it('are one batch: Windows starts the app once for each file', async () => {
    const clock = sleepingClock();
    const batches: string[][] = [];
    const starts = coalesceLaunches({ clock, act: (all) => batches.push(all.flatMap(({ paths }) => paths)) }, NEVER);
    for (const path of ['/a', '/b', '/c']) {
      starts.heard(start({ paths: [path] }));
      await clock.advance(150);
    }
    expect(batches).toEqual([]);
    await clock.advance(200);
    starts.heard(start({ paths: ['/d'] }));
    await clock.advance(200);
    expect(batches).toEqual([['/a', '/b', '/c'], ['/d']]);
  });
});

describe('what starts ask for', () => {
  const folder = temporaryFolder('starts');
  const file = join(folder, 'a.txt');
  const code = join(folder, 'code');
  writeFileSync(file, 'a');
  mkdirSync(code, { recursive: true });

  interface Answers {
    readonly added?: Result<unknown>;
    readonly begun?: Result<object>;
  }
  const openWith = async ({ added = ok({}), begun = ok({}) }: Answers, ...starts: Start[]) => {
    const seen = {
      dispatched: [] as unknown[],
      captures: [] as string[],
      notices: [] as Failure[],
      shown: [] as unknown[],
    };
    const dispatch = async (...call: unknown[]) => {
      seen.dispatched.push(call.slice(0, 3));
      return added;
    };
    const engine = {
      capture: {
        start: async ({ mode }: { mode: string }) => {
          seen.captures.push(mode);
          return begun;
        },
      },
      app: { notify: (reason: Failure) => void seen.notices.push(reason) },
    };
    const host = { dispatcher: { dispatch, on: () => () => {} }, engine };
    const window = { show: (screen?: string) => void seen.shown.push(screen ?? 'window') };
    await handleLaunches({ host, window, log: () => {} }, starts, NEVER);
    return seen;
  };
  const open = (...starts: Start[]) => openWith({}, ...starts);

  it('files and folders go into the queue together, each once, and the window shows where they go', async () => {
    const seen = await open(start({ paths: [file, code] }), start({ paths: [file] }));
    expect(seen.dispatched).toEqual([['owner', 'queue.addPaths', { paths: [file, code] }]]);
    expect(seen.shown).toEqual(['window']);
  });

  it('a missing file is reported, and the others continue', async () => {
    const seen = await open(start({ paths: [join(folder, 'gone.png'), file] }));
    expect(seen.notices).toMatchObject([{ code: 'SOURCE_MISSING', params: { name: 'gone.png' } }]);
    expect(seen.dispatched).toEqual([['owner', 'queue.addPaths', { paths: [file] }]]);
  });

  it('where the files cannot be added, the link of another start is opened all the same', async () => {
    const seen = await openWith(
      { added: err(failure('DISK_FULL', 'full')) },
      start({ paths: [file] }),
      start({ link: 'linkshot://capture?mode=region' }),
    );
    expect(seen).toMatchObject({ notices: [{ code: 'DISK_FULL' }], captures: ['region'] });
  });

  it('a capture that cannot begin is reported; one that the user cancels is not', async () => {
    const link = start({ link: 'linkshot://capture?mode=region' });
    const busy = await openWith({ begun: err(failure('CAPTURE_BUSY', 'busy')) }, link);
    expect(busy).toMatchObject({ notices: [{ code: 'CAPTURE_BUSY' }], shown: ['window'] });
    const cancelled = await openWith({ begun: err(failure('CANCELLED', 'cancelled')) }, link);
    expect(cancelled).toMatchObject({ notices: [], shown: [] });
  });

  it('a hidden start stays hidden', async () => {
    expect((await open(start({ isHidden: true }))).shown).toEqual([]);
    expect((await open(start({}))).shown).toEqual(['window']);
  });

  it('a link freezes the screen or shows a screen; a bad one does nothing at all', async () => {
    expect(await open(start({ link: 'linkshot://capture?mode=region' }))).toMatchObject({
      captures: ['region'],
      shown: [],
    });
    expect((await open(start({ link: 'linkshot://open/settings' }))).shown).toEqual(['settings']);
    const bad = await open(start({ link: 'linkshot://upload?path=/etc/passwd' }));
    expect(bad).toEqual({ dispatched: [], captures: [], notices: [], shown: [] });
  });
});
