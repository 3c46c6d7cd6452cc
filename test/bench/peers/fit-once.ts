/** One fit in a process of its own, so that its time and CPU can be measured: `fit-once.ts SOURCE FOLDER LIMITS-JSON`. */
import { mkdirSync } from 'node:fs';
import type { Result } from '../../../src/api/errors.ts';
import { systemClock } from '../../../src/engine/node-ports.ts';
import type { FitLimits } from '../../../src/engine/video/encoder-params.ts';
import { isSuitable } from '../../../src/engine/video/encoding-plan.ts';
import { locateFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { readCapabilities } from '../../../src/engine/video/ffmpeg-capabilities.ts';
import { fitVideo } from '../../../src/engine/video/fit-video.ts';
import { metadataOfService, probeVideo, viewAsService } from '../../../src/engine/video/probe-video.ts';

/** What is printed. `path` is what is to be sent; `failure` where nothing is. */
export interface FitReport {
  readonly way: 'pass' | 'remux' | 'audio' | 'encode' | 'refuse';
  readonly path: string;
  readonly encodes: number;
  readonly passes: number;
  readonly failure?: string;
}

const [source = '', folder = '', json = '{}'] = process.argv.slice(2);
const limits = JSON.parse(json) as FitLimits;
const signal = new AbortController().signal;
mkdirSync(folder, { recursive: true });

const must = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  const { code, detail } = result.error;
  const refusal: FitReport = { way: 'refuse', path: '', encodes: 0, passes: 0, failure: `${code}: ${detail}` };
  console.log(JSON.stringify(refusal));
  process.exit(0);
};

const fitted = async (): Promise<FitReport> => {
  const view = must(await viewAsService(source));
  if (view.probe && isSuitable(metadataOfService(view, view.probe), limits, 'balanced'))
    return { way: 'pass', path: source, encodes: 0, passes: 0 };
  const ffmpeg = await locateFfmpeg({ configured: null, environment: process.env }, signal);
  if (!ffmpeg) throw new Error('ffmpeg was not found.');
  const tools = must(await readCapabilities(ffmpeg, signal));
  const facts = must(await probeVideo(source, view, ffmpeg, signal));
  const deps = { ffmpeg, tools, clock: systemClock, folder };
  const { path, encodes, plan } = must(
    await fitVideo({ source, metadata: facts, limits, choice: 'balanced' }, deps, () => {}, signal),
  );
  return { way: plan.way, path, encodes, passes: plan.way === 'encode' ? plan.params.passes : 0 };
};

console.log(JSON.stringify(await fitted()));
