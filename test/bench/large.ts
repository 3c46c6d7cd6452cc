/**
 * `npm run bench:large`: a file of 4 GiB, the largest that the service takes, whose client is killed half-way. Fails
 * unless the client stays under 200 MiB, goes on without reading again what was sent, and publishes the file whole.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '../../src/api/limits.ts';
import { makeVideo } from '../support/media/padded-video.ts';
import { startServer } from './measure.ts';

const MIB = 1024 * 1024;
const MOST_RSS_MIB = 200;
const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-large-'));
const data = join(work, 'data');
const file = join(work, 'large.mp4');

const server = (...args: string[]) => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = (...args: string[]) =>
  JSON.parse(execFileSync(process.execPath, server(...args), { encoding: 'utf8' })) as Record<string, string>;

const sha256 = async (bytes: NodeJS.ReadableStream): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex');
};

/** A video whose last box reaches to the end of a file with a hole in it. */
const makeLarge = async (): Promise<void> => {
  makeVideo(file, 2 * MIB);
  const head = readFileSync(file);
  const box = head.lastIndexOf(Buffer.from('free')) - 4;
  truncateSync(file, box + 8);
  truncateSync(file, LIMITS.maxResumableBytes);
  const handle = await open(file, 'r+');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(LIMITS.maxResumableBytes - box);
  await handle.write(size, 0, 4, box);
  await handle.close();
};

const numberIn = (path: string, name: string): number => {
  const line = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(path, 'utf8'));
  return Number(line?.[1] ?? 0);
};

interface Life {
  readonly code: number | null;
  readonly seconds: number;
  /** Peaks and sums over its life, in MiB. */
  readonly rss: number;
  readonly read: number;
}

/** Runs a client; `until` may end it by SIGKILL. */
const live = async (args: readonly string[], key: string, url: string, until: (pid: number) => Promise<boolean>) => {
  const began = performance.now();
  const client = spawn(
    process.execPath,
    // As `npm run linkshot` starts it.
    [
      '--max-semi-space-size=4',
      join(root, 'src/cli/cli.ts'),
      ...args,
      '--json',
      '--profile',
      join(work, 'profile'),
      '--server',
      url,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, LINKSHOT_KEY: key } },
  );
  const pid = client.pid ?? 0;
  const peak = { rss: 0, read: 0 };
  const timer = setInterval(() => {
    try {
      peak.rss = Math.max(peak.rss, numberIn(`/proc/${pid}/status`, 'VmHWM') / 1024);
      peak.read = Math.max(peak.read, numberIn(`/proc/${pid}/io`, 'rchar') / MIB);
    } catch {
      // It has exited; its last numbers remain.
    }
  }, 50);
  const watch = setInterval(async () => {
    if (await until(pid)) client.kill('SIGKILL');
  }, 500);
  const [code] = (await once(client, 'exit')) as [number | null];
  clearInterval(timer);
  clearInterval(watch);
  return { code, seconds: (performance.now() - began) / 1000, ...peak } satisfies Life;
};

const main = async (): Promise<void> => {
  const config = join(work, 'config.json');
  const limits = { requestsPerMinute: 1e6, uploadRequestsPerMinute: 1e6, partsPerMinute: 1e6 };
  const bitrate = { bitsPerPixel: 0.1, fpsCap: 60, min: 1e12, max: 1e12 };
  writeFileSync(config, JSON.stringify({ limits, video: { bitrate } }));
  const running = await startServer(process.execPath, server('serve', '--port', '0', '--config', config));
  const url = running.ready['url'] ?? '';
  try {
    admin('account', 'add', 'large', '--plan', 'pro');
    const key =
      admin('key', 'add', '--account', 'large', '--scopes', 'content:read,content:write,account:read')['apiKey'] ?? '';
    const ask = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    const confirmed = async (): Promise<number> => {
      const { items } = (await (await ask('/api/v1/uploads/resumable')).json()) as {
        items: { receivedBytes: number }[];
      };
      return items[0]?.receivedBytes ?? 0;
    };
    await makeLarge();
    const first = await live(
      ['upload', file],
      key,
      url,
      async () => (await confirmed()) > LIMITS.maxResumableBytes / 2,
    );
    const before = await confirmed();
    const second = await live(['resume'], key, url, async () => false);

    const { items } = (await (await ask('/api/v1/content')).json()) as { items: { id: string; size: number }[] };
    const media = await ask(`/api/media/${items[0]?.id}?download=1`);
    const there = await sha256(Readable.fromWeb(media.body as never));
    const isWhole = items.length === 1 && there === (await sha256(createReadStream(file)));
    const left = (LIMITS.maxResumableBytes - before) / MIB;
    const isGood =
      second.code === 0 &&
      isWhole &&
      Math.max(first.rss, second.rss) < MOST_RSS_MIB &&
      // Programs and libraries are read, too; reading the file again would be thousands of MiB.
      second.read < left + 256;
    const report = { killedAt: before / MIB, left, first, second, isWhole, isGood };
    console.log(JSON.stringify(report, (_, value) => (typeof value === 'number' ? Math.round(value) : value), 2));
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await running.stop();
  }
};

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}
