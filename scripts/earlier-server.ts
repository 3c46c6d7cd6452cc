/**
 * `node scripts/earlier-server.ts COMMIT`: packs the server's program of that commit into
 * `test/fixtures/server-schema-N.tar.gz`, and deletes the earlier archive. N is the number of PostgreSQL migrations in
 * that commit. Run it for the commit before a new migration: the upgrade test (`test/server/nodes/upgrade.test.ts`)
 * needs the program with one migration less.
 */
import { execFileSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const MIGRATIONS = 'src/server/migrations/postgres';
const PROGRAM = ['package.json', 'src/server', 'src/api', 'src/base', 'src/common'];

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('Name a commit.');
const cwd = resolve(import.meta.dirname, '..');
const names = execFileSync('git', ['ls-tree', '--name-only', commit, `${MIGRATIONS}/`], { cwd, encoding: 'utf8' });
const schema = names.split('\n').filter((name) => /\/\d{4}-/.test(name)).length;
const folder = 'test/fixtures';
for (const old of globSync(`${folder}/server-schema-*`, { cwd })) rmSync(resolve(cwd, old));
const target = `${folder}/server-schema-${schema}.tar.gz`;
execFileSync('git', ['-c', 'tar.tar.gz.command=gzip -9cn', 'archive', '--output', target, commit, ...PROGRAM], { cwd });
console.log(target);
