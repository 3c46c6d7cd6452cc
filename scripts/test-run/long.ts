/**
 * Runs the given campaigns at length: `node scripts/test-run/long.ts FILTER...`. Variables such as `KILLS` set their
 * length.
 */
import { spawnSync } from 'node:child_process';
import { programOf } from './program.ts';

const [node, ...words] = [...programOf('vitest'), 'run', ...process.argv.slice(2)];
const { status } = spawnSync(node, words, { stdio: 'inherit', env: { ...process.env, LONG: '1' } });
process.exitCode = status ?? 1;
