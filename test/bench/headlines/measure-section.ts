/** Runs the benchmark of a section for its headlines only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Measurement } from './compare.ts';
import { HEADLINES } from './headlines.ts';

/** A section is measured by the script of its name, but for this one. */
const SCRIPTS: Readonly<Record<string, string>> = { 'video-handbrake': 'video' };
/** What a script ends with where its peer is not installed. */
const NO_PEER = 77;

export const SECTIONS: readonly string[] = [...new Set(HEADLINES.map(({ section }) => section))];

/** The sections that the command line names, or all of them. Throws where there is no such section. */
export const chosenSections = (): readonly string[] => {
  const { positionals } = parseArgs({ allowPositionals: true, options: { 'allow-dirty': { type: 'boolean' } } });
  const unknown = positionals.filter((name) => !SECTIONS.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no section ${unknown.join(', ')}; there are ${SECTIONS.join(', ')}.`);
  return positionals.length > 0 ? positionals : SECTIONS;
};

const figuresOf = (file: string): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;

/** Ends after `limitMs`. Prints how long it took. */
export const measureSection = async (section: string, limitMs = Number.POSITIVE_INFINITY): Promise<Measurement> => {
  if (limitMs <= 0) return { missing: 'There was no time left.', failed: false };
  const work = mkdtempSync(join(tmpdir(), 'linkshot-bench-headlines-'));
  const file = join(work, 'figures.json');
  const began = performance.now();
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '..', `${SCRIPTS[section] ?? section}.ts`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BENCH_FIGURES: file },
    // A group of its own: its servers and browsers end with it.
    detached: true,
  });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  const cancel = (): void => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  let isLate = false;
  const onLate = (): void => {
    isLate = true;
    end();
  };
  const timer = Number.isFinite(limitMs) ? setTimeout(onLate, limitMs) : undefined;
  try {
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    console.log(`${section}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
    if (code === NO_PEER) return { missing: 'Its peer is not installed.', failed: false };
    if (isLate) return { missing: 'It took too long.', failed: false };
    if (code !== 0) return { missing: `It ended with ${code ?? killedBy}.`, failed: true };
    return { figures: figuresOf(file) };
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
    rmSync(work, { recursive: true, force: true });
  }
};
