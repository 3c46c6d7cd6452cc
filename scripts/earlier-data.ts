/**
 * `node scripts/earlier-data.ts [NAME]`: writes `test/fixtures/data-NAME.tar.gz` (default: the version) with a profile,
 * a server's data folder and a list of what both contain, all made by the code of this commit. Run it for each release,
 * and before names in stored files change: `test/cli/earlier-data.test.ts` opens every such archive with the current
 * code.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import type { RecordingId } from '../src/api/ids.ts';
import { openRecordingStore } from '../src/engine/recording/recording-store.ts';
import { VERSION } from '../src/host/version.ts';
import type { QueueItem } from '../src/ipc/protocol/queue-item.ts';

const root = resolve(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-earlier-data-'));
const [data, profile] = [join(work, 'server'), join(work, 'profile')];
const target = join(root, `test/fixtures/data-${process.argv[2] ?? VERSION}.tar.gz`);

const server = (...args: string[]) => [join(root, 'src/server/cli.ts'), ...args, '--data', data];
const admin = async (...args: string[]): Promise<Record<string, string>> => {
  const child = spawn(process.execPath, server(...args), { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as Record<string, string>;
};

const serving = spawn(process.execPath, server('serve', '--port', '0'), { stdio: ['ignore', 'pipe', 'ignore'] });
const [ready] = (await once(createInterface({ input: serving.stdout }), 'line')) as [string];
const { url } = JSON.parse(ready) as { url: string };
await admin('account', 'add', 'mira', '--plan', 'pro', '--password', 'a long password');
const scopes = 'content:read,content:write,content:delete,account:read';
const { apiKey = '' } = await admin('key', 'add', '--account', 'mira', '--scopes', scopes);

const environment = { ...process.env, LINKSHOT_SERVER: url, LINKSHOT_KEY: apiKey };
const start = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [join(root, 'src/cli/cli.ts'), ...args, '--profile', profile], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
const linkshot = async (args: readonly string[], input = ''): Promise<string> => {
  const child = start(args, environment);
  child.stdin.end(input);
  return text(child.stdout);
};
/** What the profile holds, without asking the service. */
const local = async (...args: string[]): Promise<readonly unknown[]> => {
  const { LINKSHOT_SERVER: _, LINKSHOT_KEY: __, ...env } = environment;
  const lines = (await text(start([...args, '--json'], env).stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
};

const project = join(work, 'project');
mkdirSync(join(project, 'src'), { recursive: true });
writeFileSync(join(project, 'README.md'), '# Project\n');
writeFileSync(join(project, 'src/main.ts'), 'export const answer = 42;\n');
const picture = join(work, 'icon.png');
copyFileSync(join(root, 'resources/icon.png'), picture);
await linkshot(['upload', picture, '--title', 'Icon', '--tags', 'design,icon']);
await linkshot(['upload', picture, '--password', 'secret word', '--one-time']);
await linkshot(['note', '-', '--title', 'Note'], '# Heading\n\nText.\n');
await linkshot(['folder', project]);
/** Between the command and the server: forwards everything but the second part of a file, which it never answers. */
const between = createServer((asked, reply) => {
  if (asked.method === 'PUT' && asked.url?.endsWith('/parts/1')) return void between.emit('stalled');
  const { method, headers } = asked;
  const forwarded = request(`${url}${asked.url}`, { method, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(reply);
  });
  asked.pipe(forwarded);
});
between.listen(0, '127.0.0.1');
await once(between, 'listening');

// An upload is killed, and its file replaced: it starts again from the source.
const replaced = join(work, 'replaced.png');
const [width, height, channels] = [1_600, 1_000, 3] as const;
const noise = randomBytes(width * height * channels);
await sharp(noise, { raw: { width, height, channels } }).png().toFile(replaced);
const address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
const killed = start(['upload', replaced], { ...environment, LINKSHOT_SERVER: address });
await once(between, 'stalled');
killed.kill('SIGKILL');
await once(killed, 'exit');
between.close();
between.closeAllConnections();
copyFileSync(picture, replaced);
await linkshot(['resume']);

// A file is missing when it is to be sent: its item waits for the user with an error.
const missing = join(work, 'missing.png');
copyFileSync(picture, missing);
await linkshot(['queue', 'pause']);
await linkshot(['upload', missing]);
rmSync(missing);
await linkshot(['resume']);

await linkshot(['config', 'set', 'visibility', 'private']);
// An item waits in the paused queue.
await linkshot(['queue', 'pause']);
await linkshot(['upload', picture, '--title', 'Waiting']);

const items = (await local('list')) as readonly { id: string }[];
const headers = { authorization: `Bearer ${apiKey}` };
const served = await Promise.all(
  items.map(async ({ id }) => {
    const content = await (await fetch(`${url}/api/v1/content/${id}`, { headers })).json();
    const media = Buffer.from(await (await fetch(`${url}/api/media/${id}`, { headers })).arrayBuffer());
    return { content, sha256: createHash('sha256').update(media).digest('hex') };
  }),
);
const database = new Database(join(profile, 'profile.sqlite'), { readonly: true });
const queue = database.prepare<[], { item: string }>('SELECT item FROM queue').all();
const unprinted = queue.map(({ item }) => JSON.parse(item) as QueueItem).filter(({ printPending }) => printPending);
const timelines = database.prepare<[], { item_id: string; events: string }>('SELECT * FROM timeline').all();
database.close();
const locally = { status: await local('status'), settings: await local('config', 'get') };

// A recording was interrupted. The next command recovers it, so this comes last.
const recordings = openRecordingStore(profile);
const started = { name: 'Recording.mp4', startedAt: Date.now(), after: 'settings', state: 'recording' } as const;
const recording = await recordings.begin(randomUUID() as RecordingId, {
  ...{ ...started, isRecovered: false, lengths: [null, 1_200] },
  encoding: {
    params: {
      ...{ width: 640, height: 480, fps: 30, crf: 23, preset: 'veryfast' },
      ...{ maxBits: 771_360, bufferBits: 385_680, keyFrames: 60, audioBits: 0 },
    },
    encoder: { name: 'libx264', kind: 'x264' },
  },
});

const expected = {
  ...{ apiKey, url, served, items },
  unprinted: unprinted.map(({ id }) => id),
  timelines: Object.fromEntries(timelines.map(({ item_id, events }) => [item_id, JSON.parse(events) as unknown])),
  recordings: [recording.info],
  ...locally,
};
writeFileSync(join(work, 'expected.json'), JSON.stringify(expected, null, 2));
serving.kill('SIGTERM');
await once(serving, 'exit');

mkdirSync(join(root, 'test/fixtures'), { recursive: true });
const packed = spawn('tar', ['-C', work, '-czf', '-', 'server', 'server.key', 'profile', 'expected.json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
writeFileSync(target, await buffer(packed.stdout));
rmSync(work, { recursive: true });
console.log(target);
