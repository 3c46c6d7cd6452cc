/** Predicts the result and duration of fitting a video, before anything is encoded. */

import { err, ok, type Result } from '../../api/errors.ts';
import type { FitPreview } from '../../ipc/protocol/video-fit.ts';
import { sampleVideo } from './encode-sample.ts';
import { planVideo, summaryOf } from './encoding-plan.ts';
import { checkDisk, type FitDeps, type FitRequest, jobOf } from './fit-video.ts';
import { rateValue } from './frame-rate.ts';

/** Few samples, because the user waits for the preview. */
const SAMPLES = 2;
/** Encoding speed of two cores, used without a measurement. */
const USUAL_PIXELS_PER_SECOND = 60e6;
/** Copying runs at disk speed. */
const COPY_BYTES_PER_SECOND = 100e6;
const START_SECONDS = 1;
const SECOND_PASS = 0.7;

/** Errors: CANCELLED, and DISK_FULL where there is not enough space. */
export const previewFit = async (
  request: FitRequest,
  deps: FitDeps,
  signal: AbortSignal,
): Promise<Result<FitPreview>> => {
  const before = summaryOf(request.metadata);
  const first = planVideo({ ...request, need: null, ways: 'any' });
  if (first.way === 'pass') return ok({ way: 'pass', before });
  if (first.way === 'refuse') return ok({ way: 'refuse', before, failure: first.failure });
  const { software } = deps.tools;
  let plan = first;
  let speed: number | null = null;
  if (plan.way === 'encode' && software?.kind === 'x264') {
    const sampled = await sampleVideo(jobOf(request, plan, software, deps.tools), SAMPLES, deps, signal);
    if (!sampled.ok) return err(sampled.error);
    speed = sampled.value.speed;
    const pixels = plan.numbers.width * plan.numbers.height;
    const measured = planVideo({ ...request, need: sampled.value.need, ways: 'any' });
    // A measurement applies to the measured size only; a plan of another size keeps its estimate.
    if (measured.way === 'encode' && measured.numbers.width * measured.numbers.height === pixels) plan = measured;
  }
  const space = await checkDisk(deps.folder, plan.after.size);
  if (!space.ok) return space;
  const { way, after, reasons, losses } = plan;
  return ok({ way, before, after, secondsNeeded: secondsOf(plan, speed), reasons: [...reasons], losses: [...losses] });
};

const secondsOf = (plan: Extract<ReturnType<typeof planVideo>, { after: unknown }>, speed: number | null): number => {
  if (plan.way !== 'encode') return Math.ceil(START_SECONDS + plan.after.size / COPY_BYTES_PER_SECOND);
  const { width, height, rate, seconds, passes } = plan.numbers;
  const onePass =
    speed === null ? (width * height * rateValue(rate) * seconds) / USUAL_PIXELS_PER_SECOND : seconds / speed;
  return Math.round(START_SECONDS + onePass * (passes === 2 ? 1 + SECOND_PASS : 1));
};
