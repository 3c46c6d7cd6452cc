/**
 * `npm run bench:folder`: how long packing a folder takes compared to `zip -r` on the included files, and how much memory a
 * folder of 100,000 files takes. Writes docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { LIMITS } from '../../src/api/limits.ts';
import { isCheck, median, roundsOf, table, writeSection } from './report.ts';

const ROUNDS = roundsOf(9, 7);
const FILES = LIMITS.folderFiles;
const TEXT_MAX = 18 * 1024 ** 2;
const MANY = 100_000;
const root = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-folder-'));

/** Copies 2,000 real source files of installed packages; all of them are files that the rules keep. */
const makeTree = (folder: string): number => {
  const modules = join(root, 'node_modules');
  let files = 0;
  let bytes = 0;
  const walk = (from: string): void => {
    for (const entry of readdirSync(from, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(from, entry.name);
      // Caches of tools differ between machines.
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && files < FILES && /\.(ts|js|md|json|css)$/.test(entry.name)) {
        const { size } = statSync(path);
        if (size === 0 || size > LIMITS.folderFileBytes || bytes + size > TEXT_MAX) continue;
        // Under names that no rule knows.
        const name = relative(modules, path).replace(
          /(^|\/)(?=(dist|build|out|target|coverage|node_modules)\/)/g,
          '$1of-',
        );
        const to = join(folder, 'src', name.replaceAll(/(^|\/)(token|credentials)/g, '$1a-$2'));
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(path, to);
        files += 1;
        bytes += size;
      }
    }
  };
  walk(modules);
  return bytes;
};

interface Packing {
  readonly seconds: readonly number[];
  readonly before: number;
  readonly peak: number;
  readonly outcome: string;
}

const pack = (folder: string, rounds: number): Packing => {
  const args = [join(import.meta.dirname, 'peers/pack-folder.ts'), folder, join(work, 'spool'), String(rounds)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Packing;
};

const zip = (folder: string): number => {
  const to = join(work, 'peer.zip');
  rmSync(to, { force: true });
  const start = performance.now();
  execFileSync('zip', ['-qr', to, '.'], { cwd: folder });
  return (performance.now() - start) / 1_000;
};

const packFolder = (folder: string, bytes: number) => {
  const zips: number[] = [];
  const first: number[] = [];
  const later: number[] = [];
  let outcome = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    zips.push(zip(folder));
    const packing = pack(folder, 4);
    outcome = packing.outcome;
    first.push(packing.seconds[0] ?? 0);
    later.push(...packing.seconds.slice(1));
  }
  const range = (values: readonly number[]) =>
    `${median(values).toFixed(2)} [${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}]`;
  const row = (name: string, values: readonly number[]) => [
    name,
    range(values),
    (median(values) / median(zips)).toFixed(2),
  ];
  const figures = {
    'First folder of a process: wall / zip -r': median(first) / median(zips),
    'Later folders: wall / zip -r': median(later) / median(zips),
  };
  const text = [
    `### ${FILES} files, ${(bytes / 1024 ** 2).toFixed(1)} MiB of text (archive: ${outcome}), ${ROUNDS} rounds`,
    table(
      ['Contender', 'Wall s, median [range]', 'Wall / wall of `zip -r`'],
      [
        row('Linkshot, a process that packs its first folder', first),
        row('Linkshot, a process that has packed before', later),
        row('`zip -r` on the kept files', zips),
      ],
    ),
  ].join('\n\n');
  return { text, figures };
};

/** Some text, and mostly what stays out only once it was looked at. */
const makeMany = (folder: string): void => {
  const picture = Buffer.concat([Buffer.from('\x89PNG\r\n'), Buffer.alloc(500)]);
  for (let index = 0; index < MANY; index += 1) {
    const at = join(folder, `part-${index % 100}`);
    if (index < 100) mkdirSync(at, { recursive: true });
    if (index % 60 === 0) writeFileSync(join(at, `${index}.ts`), `export const number = ${index};\n`);
    else writeFileSync(join(at, `${index}.png`), picture);
  }
};

const packMany = (folder: string): string => {
  makeMany(folder);
  const { seconds, before, peak, outcome } = pack(folder, 1);
  const took = `${seconds[0]?.toFixed(1)} s, peak RSS ${peak.toFixed(0)} MiB (${before.toFixed(0)} MiB before)`;
  return `### ${MANY.toLocaleString('en')} files, of which ${Math.ceil(MANY / 60)} are kept\n\n${took}; archive: ${outcome}.`;
};

try {
  const [tree, many] = [join(work, 'tree'), join(work, 'many')];
  const bytes = makeTree(tree);
  const { text, figures } = packFolder(tree, bytes);
  writeSection('folder', isCheck ? text : [text, packMany(many)].join('\n\n'), figures);
} finally {
  rmSync(work, { recursive: true, force: true });
}
