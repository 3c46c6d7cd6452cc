/**
 * `npm run bench:upload`: one file from a client process into a server process, three ways, interleaved in one run:
 * Linkshot (verified and durable), tus-js-client to @tus/server, and `curl -T` to a server that pipes to disk.
 * What counts is the ratio within a round; absolute seconds say more about the machine. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeVideo } from '../support/media/padded-video.ts';
import { runClient, type ServerProcess, startServer } from './measure.ts';
import { isCheck, roundsOf, writeSection } from './report.ts';
import { type Round, uploadFigures, uploadReport } from './upload-report.ts';

const MIB = 1024 * 1024;
const root = resolve(import.meta.dirname, '../..');
const peers = join(import.meta.dirname, 'peers');
const node = process.execPath;
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-'));
const folder = (name: string): string => mkdtempSync(join(work, `${name}-`));

const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

interface Contender {
  readonly name: string;
  start(): Promise<ServerProcess>;
  /** Prepares one upload and answers the client's command line. */
  client(file: string, server: ServerProcess): { command: readonly string[]; env?: Record<string, string> };
  /** SHA-256 of what the server holds. */
  stored(output: string, server: ServerProcess): Promise<string>;
}

let key = '';
const data = folder('server');
const serverCommand = (...args: string[]): string[] => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = (...args: string[]): Record<string, string> =>
  JSON.parse(execFileSync(node, serverCommand(...args), { encoding: 'utf8' })) as Record<string, string>;

const linkshot: Contender = {
  name: 'Linkshot',
  start() {
    const config = join(work, 'config.json');
    // The only concession: random bytes in a second of video would break the bitrate ceiling.
    writeFileSync(
      config,
      JSON.stringify({ video: { bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1e12, max: 1e12 } } }),
    );
    return startServer(node, serverCommand('serve', '--port', '0', '--config', config));
  },
  client(file, server) {
    // An account of its own for each upload: the budget per minute would pace a second gigabyte.
    const name = `bench-${Math.random().toString(36).slice(2)}`;
    admin('account', 'add', name, '--plan', 'pro');
    key = admin('key', 'add', '--account', name, '--scopes', 'content:read,content:write,account:read')['apiKey'] ?? '';
    const profile = folder('profile');
    const url = server.ready['url'] ?? '';
    return {
      command: [node, join(root, 'out/cli/cli.js'), 'upload', file, '--json', '--profile', profile, '--server', url],
      env: { LINKSHOT_KEY: key },
    };
  },
  async stored(output, server) {
    const { id } = JSON.parse(output) as { id: string };
    const media = await fetch(`${server.ready['url']}/api/media/${id}?download=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const hash = createHash('sha256');
    for await (const chunk of media.body ?? []) hash.update(chunk as Uint8Array);
    return hash.digest('hex');
  },
};

const tusFolder = folder('tus');
const tus: Contender = {
  name: 'tus-js-client + @tus/server',
  start: () => startServer(node, [join(peers, 'tus-server.ts'), tusFolder]),
  client: (file, server) => ({ command: [node, join(peers, 'tus-client.ts'), server.ready['url'] ?? '', file] }),
  stored() {
    const [name = ''] = readdirSync(tusFolder).filter((entry) => !entry.endsWith('.json'));
    return sha256(join(tusFolder, name));
  },
};

const diskFolder = folder('disk');
const curl: Contender = {
  name: 'curl -T to a pipe to disk',
  start: () => startServer(node, [join(peers, 'disk-server.ts'), diskFolder]),
  client: (file, server) => ({ command: ['curl', '--silent', '--fail', '-T', file, server.ready['url'] ?? ''] }),
  stored: () => sha256(join(diskFolder, 'upload.bin')),
};

const emptyPeerFolders = (): void => {
  for (const place of [tusFolder, diskFolder])
    for (const entry of readdirSync(place)) rmSync(join(place, entry), { recursive: true });
};

/** One upload, checked by what the server then holds. The servers run on; only what this upload cost them is counted. */
const measure = async (contender: Contender, server: ServerProcess, file: string, expected: string) => {
  const { command, env } = contender.client(file, server);
  server.resetPeak();
  const before = server.usage();
  const client = await runClient(command, env);
  const after = server.usage();
  const isIntact = (await contender.stored(client.output, server)) === expected;
  emptyPeerFolders();
  if (!isIntact) throw new Error(`${contender.name}: what was stored is not what was sent`);
  return { client, server: { ...after, cpu: after.cpu - before.cpu } };
};

const rounds: Round[] = [];
const vite = join(root, 'node_modules/vite/bin/vite.js');
execFileSync(node, [vite, 'build', '-c', 'vite.cli.config.ts', '--logLevel', 'warn'], { cwd: root });
const running: { readonly contender: Contender; readonly server: ServerProcess }[] = [];
try {
  for (const contender of isCheck ? [linkshot, tus] : [linkshot, tus, curl])
    running.push({ contender, server: await contender.start() });
  for (const [mebibytes, times] of [
    // A small file first, unmeasured: no contender pays for its server's first request.
    [8, 1],
    [100, roundsOf(7, 3)],
    [1024, roundsOf(5, 2, 'BENCH_LARGE_ROUNDS')],
  ] as const) {
    const file = join(work, 'bench.mp4');
    const expected = makeVideo(file, mebibytes * MIB);
    for (let round = 0; round < times; round++) {
      // Rotated, so that no contender always runs on a cold or a busy disk.
      for (let turn = 0; turn < running.length; turn++) {
        const { contender, server } = running[(round + turn) % running.length] as (typeof running)[number];
        const usage = await measure(contender, server, file, expected);
        if (mebibytes < 100) continue;
        rounds.push({ mebibytes, round, name: contender.name, ...usage });
        const cpu = (usage.client.cpu + usage.server.cpu).toFixed(2);
        console.log(`${mebibytes} MiB  ${contender.name.padEnd(28)} ${usage.client.wall.toFixed(2)} s  CPU ${cpu} s`);
      }
    }
  }
  const names = running.map(({ contender }) => contender.name);
  writeSection('upload', uploadReport(rounds, linkshot.name, names), uploadFigures(rounds, linkshot.name, tus.name));
} finally {
  await Promise.all(running.map(({ server }) => server.stop()));
  rmSync(work, { recursive: true, force: true });
}
