/**
 * The entry file of the process that opens untrusted files: inspects media and makes previews, one task at a time. It
 * may be killed at any moment; the next task then gets another one.
 */
import { flushCompileCache } from 'node:module';
import { unreachable } from '../../api/errors.ts';
import type { VideoContainer } from '../../common/video/probe.ts';
import { describeVideoLimits, validateVideo } from '../../common/video/validate-video.ts';
import { imagePreview, inspectImage, limitDecoder } from './inspect-image.ts';
import { probeVideo, videoChapters, videoPoster } from './inspect-video.ts';
import {
  type ChildTask,
  type Inspection,
  type InspectionTask,
  type Preview,
  type PreviewTask,
  unsupported,
} from './inspector-protocol.ts';
import type { ChildMessage } from './inspector-task-runner.ts';

/** `process.parentPort` of Electron's utility processes. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

interface Parent {
  send(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

const ofElectron = (port: ParentPort): Parent => ({
  send: (message) => port.postMessage(message),
  listen: (listener) => port.on('message', ({ data }) => listener(data)),
});

const ofNode: Parent = {
  send: (message) => void process.send?.(message),
  listen(listener) {
    process.on('message', listener);
    process.on('disconnect', () => process.exit());
  },
};

const { parentPort } = process as { readonly parentPort?: ParentPort };

/**
 * Messages to the process that started this one: the parent of a Node child, or the app for a utility process of
 * Electron.
 */
const parent: Parent = parentPort ? ofElectron(parentPort) : ofNode;

const inspectVideo = async ({ file, video }: InspectionTask, container: VideoContainer): Promise<Inspection> => {
  const result = await probeVideo(file, container);
  if (!result.ok) return unsupported(result.reason);
  const { streams, audioCodecs, seconds } = result.probe;
  const problems = validateVideo(result.probe, video);
  if (problems.length > 0) {
    const detail = `${problems.map(({ message }) => message).join(' ')} Videos must be ${describeVideoLimits(video)}.`;
    return { ok: false, code: 'VIDEO_NOT_SUITABLE', detail, params: { problems } };
  }
  const [{ codec, width, height, rotation }] = streams;
  const upright = rotation % 180 === 0;
  const chapters = await videoChapters(file, container);
  return {
    ok: true,
    metadata: {
      width: upright ? width : height,
      height: upright ? height : width,
      durationMs: Math.round(seconds * 1_000),
      videoCodec: codec,
      hasAudio: audioCodecs.length > 0,
      ...(chapters.length > 0 && { chapters }),
    },
  };
};

const send = (message: ChildMessage<Inspection | Preview>): void => parent.send(message);

const inspect = async (task: InspectionTask): Promise<void> => {
  switch (task.kind.container) {
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'avif': {
      const { inspection, preview } = await inspectImage(task, (megapixels) =>
        send({ kind: 'megapixels', megapixels }),
      );
      // The result does not wait for the preview.
      send({ kind: 'answer', answer: inspection });
      return send({ kind: 'done', made: await preview().catch(() => null) });
    }
    case 'mp4':
    case 'webm':
      send({ kind: 'answer', answer: await inspectVideo(task, task.kind.container) });
      return send({ kind: 'done', made: null });
    default:
      return unreachable(task.kind.container);
  }
};

const preview = async ({ file, kind, format, ffmpeg, posterSeconds }: PreviewTask): Promise<void> => {
  const { container } = kind;
  const isVideo = container === 'mp4' || container === 'webm';
  const made = isVideo
    ? await videoPoster({ ffmpeg, posterSeconds }, file, container)
    : await imagePreview(file, format);
  send({ kind: 'answer', answer: made });
  send({ kind: 'done', made: null });
};

limitDecoder();
parent.listen((message) => {
  const task = message as ChildTask;
  void (task.job === 'inspect' ? inspect(task) : preview(task));
});
parent.send('ready');
// The process is killed at its end, which is when Node would write the cache.
flushCompileCache();
