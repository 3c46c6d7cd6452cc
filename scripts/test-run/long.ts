/**
 * `node scripts/test-run/long.ts FILTER...`: runs the matching test files with `LONG=1`, which makes their campaigns
 * longer and random. Variables such as `KILLS` set the length of a campaign.
 */
import { spawnSync } from 'node:child_process';
import { programOf } from './package-command.ts';

const [node, ...words] = [...programOf('vitest'), 'run', ...process.argv.slice(2)];
const { status } = spawnSync(node, words, { stdio: 'inherit', env: { ...process.env, LONG: '1' } });
process.exitCode = status ?? 1;
