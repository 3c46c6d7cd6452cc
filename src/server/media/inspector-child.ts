/**
 * The process in which strangers' files are opened: it answers one task at a time and knows nothing of the server.
 * It may be killed at any moment; the parent starts it anew.
 */
import { unreachable } from '../../contract/errors.ts';
import { describeVideoLimits, judgeVideo } from '../../contract/video/judge.ts';
import type { VideoContainer } from '../../contract/video/probe.ts';
import { imagePreview, inspectImage } from './image.ts';
import {
  type ChildTask,
  type Inspection,
  type InspectionTask,
  type Preview,
  type PreviewTask,
  unsupported,
} from './inspection.ts';
import { videoPoster } from './video/poster.ts';
import { probeVideo } from './video/probe.ts';

const inspectVideo = async ({ file, video }: InspectionTask, container: VideoContainer): Promise<Inspection> => {
  const result = await probeVideo(file, container);
  if (!result.ok) return unsupported(result.reason);
  const { streams, audioCodecs, seconds } = result.probe;
  const problems = judgeVideo(result.probe, video);
  if (problems.length > 0) {
    const detail = `${problems.map(({ message }) => message).join(' ')} Videos must be ${describeVideoLimits(video)}.`;
    return { ok: false, code: 'VIDEO_NOT_SUITABLE', detail, params: { problems } };
  }
  const [{ codec, width, height, rotation }] = streams;
  const upright = rotation % 180 === 0;
  return {
    ok: true,
    facts: {
      width: upright ? width : height,
      height: upright ? height : width,
      durationMs: Math.round(seconds * 1_000),
      videoCodec: codec,
      hasAudio: audioCodecs.length > 0,
    },
  };
};

const inspect = (task: InspectionTask): Promise<Inspection> => {
  switch (task.kind.container) {
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'avif':
      return inspectImage(task);
    case 'mp4':
    case 'webm':
      return inspectVideo(task, task.kind.container);
    default:
      return unreachable(task.kind.container);
  }
};

const preview = async ({ file, kind, ffmpeg }: PreviewTask): Promise<Preview> =>
  kind.container === 'mp4' || kind.container === 'webm'
    ? videoPoster(ffmpeg, file, kind.container)
    : imagePreview(file);

process.on('message', async (task: ChildTask) => {
  process.send?.(await (task.job === 'inspect' ? inspect(task) : preview(task)));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
