/**
 * `node scripts/earlier-data.ts`: makes `test/fixtures/data-VERSION.tar.gz`, a profile and a data folder of the server
 * written by the code of this commit, and what they hold. Run it for each release, before names in files change:
 * `test/cli/earlier-data.test.ts` opens all of them.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { VERSION } from '../src/host/version.ts';

const root = resolve(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-earlier-data-'));
const [data, profile] = [join(work, 'server'), join(work, 'profile')];
const target = join(root, `test/fixtures/data-${VERSION}.tar.gz`);

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
await linkshot(['config', 'set', 'visibility', 'private']);
await linkshot(['queue', 'pause']);
// It waits in the paused queue.
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
const expected = {
  ...{ apiKey, url, served, items },
  ...{ status: await local('status'), settings: await local('config', 'get') },
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
