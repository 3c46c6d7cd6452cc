/**
 * `npm run cluster` as a user runs it: three nodes on PostgreSQL and Ceph behind HAProxy, and the real command line app
 * publishes a file, a folder, a note and a video on them. Runs with `npm run test:cluster`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLong } from '../support/campaign.ts';
import { runCommand } from '../support/command-line.ts';
import { whyNoCeph } from '../support/engines/ceph.ts';
import { whyNoHaproxy } from '../support/engines/haproxy.ts';
import { whyNoPostgres } from '../support/engines/postgres-cluster.ts';
import { goodMp4, image } from '../support/media/media.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/cluster.ts');
const whyNot = isLong ? (whyNoPostgres() ?? whyNoHaproxy() ?? whyNoCeph()) : 'it takes a minute; npm run test:cluster';

interface Ready {
  readonly url: string;
  readonly key: string;
  readonly store: string;
  readonly nodes: readonly string[];
}

const whyNotShort = whyNoPostgres() ?? whyNoHaproxy();

describe.skipIf(whyNotShort !== null)(
  `npm run cluster in a terminal${whyNotShort === null ? '' : ` [skipped: ${whyNotShort}]`}`,
  () => {
    it('leaves nothing behind on Ctrl+C, which reaches it from the terminal and from npm', async () => {
      // PostgreSQL, which runs as another user, needs a way to its data.
      const folder = mkdtempSync(join(tmpdir(), 'terminal-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      chmodSync(folder, 0o755);
      const words = ['run', '--silent', 'cluster', '--', '--port', '0', '--store', 'double', '--nodes', '1'];
      const env = { ...process.env, TMPDIR: folder };
      const child = spawn('npm', words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      const { pid = 0 } = child;
      onTestFinished(
        () => void (child.exitCode === null && child.signalCode === null && process.kill(-pid, 'SIGKILL')),
      );
      await once(createInterface(child.stdout), 'line');
      expect(readdirSync(folder)).not.toEqual([]);
      process.kill(-pid, 'SIGINT');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(readdirSync(folder)).toEqual([]);
    });
  },
);

describe.skipIf(whyNot !== null)(`npm run cluster${whyNot === null ? '' : ` [skipped: ${whyNot}]`}`, () => {
  it('serves what the app publishes from every node, and leaves nothing behind', async () => {
    const child = spawn(process.execPath, [SCRIPT, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const cluster = JSON.parse(line) as Ready;
    expect([cluster.store, cluster.nodes.length]).toEqual(['ceph', 3]);

    const work = temporaryFolder('cluster');
    const project = join(work, 'project');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'src/a.ts'), 'console.log(1);\n');
    const env = { LINKSHOT_SERVER: cluster.url, LINKSHOT_KEY: cluster.key };
    const app = async (words: readonly string[], input?: string): Promise<Readonly<Record<string, unknown>>> => {
      const done = await runCommand([...words, '--json', '--profile', join(work, 'profile')], env, input);
      expect(done.stderr + done.stdout).not.toContain('"error"');
      expect(done.code).toBe(0);
      return done.json().at(-1) ?? {};
    };
    const picture = await image('png', 640, 400);
    const film = await goodMp4();
    const published = [
      await app(['upload', picture]),
      await app(['upload', film]),
      await app(['folder', project]),
      await app(['note', '-'], 'package main\n'),
    ];
    const ids = published.map(({ url }) => String(url).split('/').at(-1) ?? '');
    expect(new Set(ids).size).toBe(4);

    const headers = { authorization: `Bearer ${cluster.key}` };
    // Each answer may come from another node, and each node by itself has everything.
    for (const from of [cluster.url, cluster.url, cluster.url, ...cluster.nodes]) {
      for (const id of ids) {
        const item = await fetch(`${from}/api/v1/content/${id}`, { headers });
        expect(item.status).toBe(200);
      }
      const bytes = await (await fetch(`${from}/api/media/${ids[0]}`, { headers })).arrayBuffer();
      expect(Buffer.from(bytes).equals(readFileSync(picture))).toBe(true);
      const range = await fetch(`${from}/api/media/${ids[1]}`, { headers: { ...headers, range: 'bytes=0-99' } });
      expect(range.status).toBe(206);
      expect(Buffer.from(await range.arrayBuffer()).equals(readFileSync(film).subarray(0, 100))).toBe(true);
      const text = await fetch(`${from}/api/v1/content/${ids[3]}/text`, { headers });
      expect(((await text.json()) as { readonly text: string }).text).toBe('package main\n');
    }

    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    for (const url of [cluster.url, ...cluster.nodes]) await expect(fetch(url)).rejects.toThrow();
  });
});
