/**
 * `npm run bench:capture`: from the command to the link on the clipboard, on a virtual screen and against the same server:
 * `maim | curl` with the link put there by xclip, and `linkshot capture --copy` without and with a running app. What
 * counts is the ratio within a round. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildRenderer } from '../support/window/renderer-build.ts';
import { openDesktop } from './desktop-picture.ts';
import { type ClientRun, runClient, startServer } from './measure.ts';
import { median, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(15, 9);
const root = resolve(import.meta.dirname, '../..');
const node = process.execPath;
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-capture-'));
const folder = (name: string): string => mkdtempSync(join(work, `${name}-`));

const data = folder('server');
const serverCommand = (...args: string[]): string[] => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = (...args: string[]): Record<string, string> =>
  JSON.parse(execFileSync(node, serverCommand(...args), { encoding: 'utf8' })) as Record<string, string>;

/** The link is what the user would paste next. */
const MAIM_AND_CURL = [
  'set -o pipefail',
  'maim $AREA | curl -sf -H "Authorization: Bearer $LINKSHOT_KEY" -F "file=@-;filename=screen.png;type=image/png"' +
    ' "$LINKSHOT_SERVER/api/v1/uploads" | grep -o \'"url":"[^"]*"\' | head -n1 | cut -d\\" -f4 | tr -d "\\n"' +
    ' | xclip -selection clipboard >/dev/null 2>&1 3>&-',
].join('\n');

interface Contender {
  readonly name: string;
  /** In the name of its headline. */
  readonly title: string;
  command(area: string | null): readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const AREAS: readonly { readonly name: string; readonly title: string; readonly area: string | null }[] = [
  { name: 'a region of 800 x 600', title: 'Region', area: '100,100,800,600' },
  { name: 'the screen of 1920 x 1080', title: 'Screen', area: null },
];

const maimArea = (area: string | null): string => {
  const [x, y, width, height] = area?.split(',') ?? [];
  return area === null ? '' : `-g ${width}x${height}+${x}+${y}`;
};

/** Content of the clipboard before each run. */
const BEFORE = 'before';

/** One run, and proof that the link of this very run is on the clipboard and leads to a picture. */
const measure = async (contender: Contender, area: string | null, display: string): Promise<ClientRun> => {
  execFileSync('xclip', ['-selection', 'clipboard'], {
    input: BEFORE,
    env: { ...process.env, DISPLAY: display },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const run = await runClient(contender.command(area), { ...contender.env, DISPLAY: display, AREA: maimArea(area) });
  const read = (): string =>
    execFileSync('xclip', ['-selection', 'clipboard', '-o'], {
      encoding: 'utf8',
      env: { ...process.env, DISPLAY: display },
    });
  // xclip exits a moment before its background process has registered the new text at the X server.
  let link = read();
  for (let tries = 0; link === BEFORE && tries < 20; tries++) link = read();
  const page = await fetch(link);
  if (page.status !== 200) throw new Error(`${contender.name}: ${link} answers ${page.status}.`);
  await page.body?.cancel();
  return run;
};

const vite = join(root, 'node_modules/vite/bin/vite.js');
execFileSync(node, [vite, 'build', '-c', 'vite.cli.config.ts', '--logLevel', 'warn'], { cwd: root });
const closing: (() => Promise<void>)[] = [];
try {
  const desktop = await openDesktop(work);
  closing.push(desktop.close);
  // All of them share one key, whose budget a quick machine uses up.
  const config = join(work, 'config.json');
  const limits = { requestsPerMinute: 1e6, uploadRequestsPerMinute: 1e6, partsPerMinute: 1e6 };
  writeFileSync(config, JSON.stringify({ limits }));
  const server = await startServer(node, serverCommand('serve', '--port', '0', '--config', config));
  closing.push(server.stop);
  const url = server.ready['url'] ?? '';
  admin('account', 'add', 'bench', '--plan', 'pro');
  const scopes = 'content:read,content:write,account:read';
  const key = admin('key', 'add', '--account', 'bench', '--scopes', scopes)['apiKey'] ?? '';

  const running = folder('running');
  process.env['DISPLAY'] = desktop.display;
  const opener = join(import.meta.dirname, 'peers/open-app.ts');
  const app = await startServer(node, [opener, running, url, key, await buildRenderer('shipped')]);
  closing.push(app.stop);
  const linkshot = (title: string, profile: string): Contender => ({
    name: `linkshot, ${title}`,
    title,
    command: (area) => [
      ...[join(root, 'bin/linkshot'), 'capture', '--copy', '--json', '--profile', profile],
      ...(area === null ? ['--screen'] : ['--region', area]),
    ],
    env: { LINKSHOT_SERVER: url, LINKSHOT_KEY: key },
  });
  const peer: Contender = {
    name: 'maim \\| curl \\| xclip',
    title: '',
    command: () => ['bash', '-c', MAIM_AND_CURL],
    env: { LINKSHOT_SERVER: url, LINKSHOT_KEY: key },
  };
  const contenders = [peer, linkshot('no app running', folder('alone')), linkshot('app running', running)];

  const sections: string[] = [];
  const figures: Record<string, number> = {};
  for (const { name, title, area } of AREAS) {
    const walls = new Map<string, number[]>();
    const cpus = new Map<string, number[]>();
    for (let round = -1; round < ROUNDS; round++) {
      // Rotated, so that no contender always comes first. The first round warms all of them up.
      for (let turn = 0; turn < contenders.length; turn++) {
        const contender = contenders[(Math.max(round, 0) + turn) % contenders.length] as Contender;
        const { wall, cpu } = await measure(contender, area, desktop.display);
        if (round < 0) continue;
        walls.set(contender.name, [...(walls.get(contender.name) ?? []), wall]);
        cpus.set(contender.name, [...(cpus.get(contender.name) ?? []), cpu]);
        console.log(`${name}  ${contender.name.padEnd(26)} ${wall.toFixed(3)} s`);
      }
    }
    const peerWalls = walls.get(peer.name) ?? [];
    const rows = contenders.map((contender) => {
      const own = walls.get(contender.name) ?? [];
      const ratio = median(own.map((wall, round) => wall / (peerWalls[round] ?? Number.NaN)));
      if (contender !== peer) figures[`${title}, ${contender.title}: wall / maim, curl, xclip`] = ratio;
      const range = `${Math.min(...own).toFixed(3)}-${Math.max(...own).toFixed(3)}`;
      return [
        contender.name,
        `${median(own).toFixed(3)} [${range}]`,
        median(cpus.get(contender.name) ?? []).toFixed(2),
        contender === peer ? '' : ratio.toFixed(2),
      ];
    });
    sections.push(
      `### ${name[0]?.toUpperCase()}${name.slice(1)}, ${ROUNDS} rounds\n\n` +
        table(['Contender', 'Wall s, median [range]', 'CPU s of the command', 'Wall / its wall, median'], rows),
    );
  }
  writeSection('capture', sections.join('\n\n'), figures);
} finally {
  for (const close of closing.reverse()) await close();
  rmSync(work, { recursive: true, force: true });
}
