/** Checks video conversion: ffmpeg, and which encoders really work. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../../base/node/retrying-fs.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fail, pass, warn } from './check.ts';

const GET_IT = 'Install ffmpeg, or set LINKSHOT_FFMPEG to its path.';

export const checkVideo = async (environment: CommandContext['environment'], signal: AbortSignal): Promise<Check> => {
  const { examineVideoTools } = await import('../../engine/node-adapters.ts');
  const folder = await mkdtemp(join(tmpdir(), 'linkshot-doctor-'));
  const tools = await examineVideoTools(environment, folder, signal).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  if (!tools) return warn('video', 'ffmpeg was not found: videos cannot be converted.', GET_IT);
  const { path, software, hardware, canToneMap } = tools;
  if (!software && !hardware) return fail('video', `${path} has no H.264 encoder.`, GET_IT);
  const encoders = [software ?? 'no software encoder', hardware ? `${hardware} in hardware` : 'none in hardware'].join(
    ', ',
  );
  return canToneMap
    ? pass('video', `${path}: ${encoders}`)
    : warn('video', `${path}: ${encoders}`, 'HDR videos get wrong colours: use an ffmpeg with zscale and tonemap.');
};
