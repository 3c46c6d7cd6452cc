/** How much a video looks like its source: SSIM of every frame, as its mean and the mean of the worst 1 %. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

export interface Similarity {
  readonly mean: number;
  readonly worst: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Both at the size and rate of the source. `before`: the command that starts a program as the benchmark requires. */
export const similarity = (made: string, source: string, before: readonly string[]): Similarity => {
  const log = `${made}.ssim`;
  const both =
    '[0:v]fps=30,setpts=PTS-STARTPTS[a0];[1:v]fps=30,setpts=PTS-STARTPTS[b];[a0][b]scale2ref=flags=bicubic[a][c]';
  const args = ['-v', 'error', '-nostdin', '-i', made, '-i', source, '-lavfi', `${both};[a][c]ssim=stats_file=${log}`];
  const [program = '', ...rest] = [...before, 'ffmpeg', ...args, '-an', '-f', 'null', '-'];
  execFileSync(program, rest);
  const values = [...readFileSync(log, 'utf8').matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
  rmSync(log);
  const sorted = values.toSorted((a, b) => a - b);
  return { mean: mean(values), worst: mean(sorted.slice(0, Math.max(1, Math.round(sorted.length / 100)))) };
};
