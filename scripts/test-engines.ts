/**
 * `npm run test:engines`: runs the tests of the server, the fault cases and the conformance tests on combinations of a
 * database and a file store (the engines), and the app's fault cases also on three nodes. Skips combinations that
 * cannot run on this computer. `-- postgres,s3` runs only that combination, `-- test/server/uploads` only those files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_CASES } from '../test/faults/cases.ts';
import { faultOf } from '../test/faults/page.ts';
import { filesOnEngines, isOnNodes, NOT_ON_NODES } from '../test/on-engines.ts';
import { startCeph, whyNoCeph } from '../test/support/engines/ceph.ts';
import { whyNoHaproxy } from '../test/support/engines/haproxy.ts';
import { whyNoPgBouncer } from '../test/support/engines/pgbouncer.ts';
import { whyNoPostgres } from '../test/support/engines/postgres-cluster.ts';
import type { S3Store } from '../test/support/engines/s3-store.ts';
import { startSwift, whyNoSwift } from '../test/support/engines/swift.ts';
import { programOf } from './test-run/package-command.ts';

interface Combination {
  readonly name: string;
  /** `LINKSHOT_TEST_ENGINES`. */
  readonly engines: string;
  /** Null: it can run here. */
  readonly whyNot: string | null;
  /** Behind HAProxy: each test file that starts one server runs on so many, and only the app's fault cases do. */
  readonly nodes?: number;
  /** A real store; by default `s3` is the double. */
  readonly startStore?: () => Promise<S3Store>;
}

const plain = (engines: string, whyNot: string | null): Combination => ({ name: engines, engines, whyNot });

const COMBINATIONS: readonly Combination[] = [
  plain('sqlite,files', null),
  plain('sqlite,s3', null),
  plain('pgbouncer,files', whyNoPostgres() ?? whyNoPgBouncer()),
  plain('postgres,s3', whyNoPostgres()),
  {
    name: 'postgres,ceph',
    engines: 'postgres,s3',
    whyNot: whyNoPostgres() ?? whyNoCeph(),
    startStore: () => startCeph(),
  },
  { name: 'nodes', engines: 'postgres,s3', whyNot: whyNoPostgres() ?? whyNoHaproxy(), nodes: 3 },
  { name: 'sqlite,swift', engines: 'sqlite,s3', whyNot: whyNoSwift(), startStore: () => startSwift() },
];

const runFiles = async (
  { engines, nodes, startStore }: Combination,
  files: readonly string[],
  more: readonly string[] = [],
): Promise<boolean> => {
  const store = await startStore?.();
  try {
    const projects = ['--project', 'real', '--project', 'alone'];
    const [node, ...words] = [...programOf('vitest'), 'run', ...projects, ...more, ...files];
    const env = {
      ...process.env,
      LINKSHOT_TEST_ENGINES: engines,
      ...(nodes !== undefined && { LINKSHOT_TEST_NODES: String(nodes) }),
      ...(store !== undefined && { LINKSHOT_TEST_S3: JSON.stringify(store.settings) }),
    };
    const [code] = (await once(spawn(node, words, { stdio: 'inherit', env }), 'exit')) as [number | null];
    return code === 0;
  } finally {
    await store?.remove();
  }
};

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** The same on nodes; false also when a fault case was skipped without a reason. */
const runOnNodes = async (combination: Combination, files: readonly string[]): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'linkshot-nodes-'));
  const path = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
    const isOk = await runFiles(combination, files, reporters);
    const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const passed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed')
      .map(({ title }) => faultOf(title));
    const missing = FAULT_CASES.filter(({ number }) => !passed.includes(number) && !NOT_ON_NODES.has(number));
    const count = new Set(passed.filter((number) => number !== null)).size;
    console.log(`${count} of ${FAULT_CASES.length} fault cases ran on nodes.`);
    for (const [number, reason] of NOT_ON_NODES) console.log(`Fault ${number} did not: ${reason}.`);
    for (const { number, name } of missing) console.error(`Fault ${number} did not, without a reason: ${name}.`);
    return isOk && missing.length === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const wanted = process.argv.slice(2);
const paths = wanted.filter((word) => word.includes('/'));
const named = wanted.filter((word) => !word.includes('/'));
// One that is not in the list, such as `postgres,files`, runs when it is named.
const others = named.filter((word) => !COMBINATIONS.some(({ name }) => name === word));
const chosen = [
  ...COMBINATIONS.filter(({ name }) => named.length === 0 || named.includes(name)),
  ...others.map((engines) => plain(engines, null)),
];
const files = filesOnEngines().filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)));
if (files.length === 0) throw new Error(`No test file on the engines begins with ${paths.join(' or ')}.`);

const results: string[] = [];
for (const combination of chosen) {
  const { name, whyNot } = combination;
  console.log(`\n> ${name}`);
  const own = combination.nodes === undefined ? files : files.filter(isOnNodes);
  // Only a whole run has every fault case.
  const run = combination.nodes === undefined || paths.length > 0 ? runFiles : runOnNodes;
  const result = whyNot === null ? ((await run(combination, own)) ? 'ok' : 'failed') : `skipped: ${whyNot}`;
  if (result === 'failed') process.exitCode = 1;
  results.push(`${name}: ${result}`);
}
console.log(`\n${results.join('\n')}`);
