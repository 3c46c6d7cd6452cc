/**
 * `linkshot record`: records the screen and publishes the recording as a link. With --waiting it publishes the pending
 * recording, such as one interrupted by a crash.
 */

import { type ErrorCode, err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { ItemId, RecordingId } from '../../api/ids.ts';
import { onAbort } from '../../base/common/on-abort.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import {
  AUDIO_SOURCES,
  CAMERA_CORNERS,
  CAMERA_NAME_MAX,
  type Recording,
  type RecordingIn,
  type RecordingRequest,
} from '../../ipc/protocol/recording.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { CommandContext } from '../command-context.ts';
import { choice, command, flag, optional, parsed } from '../command-definition.ts';
import { SCREEN_OPTIONS, screenPart } from '../input/screen-part-options.ts';
import { expiryOf, PUBLISH_OPTIONS } from '../link-options.ts';
import { formatBytes } from '../output/format.ts';
import { CLEAR_LINE } from '../output/progress-line.ts';
import { type Entry, publish } from '../publishing/publish.ts';
import { requestedShare } from '../publishing/requested-link-settings.ts';

const LONGEST_SECONDS = 24 * 3_600;
const readSeconds = (text: string): Result<number, string> => {
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return seconds > 0 && seconds <= LONGEST_SECONDS
    ? ok(seconds)
    : err('must be a number of seconds, such as 10 or 2.5');
};

const readCamera = (text: string): Result<string | null, string> => {
  if (text === '') return err('needs the name of a camera, or no value');
  return text.length <= CAMERA_NAME_MAX ? ok(text) : err(`must be a name of at most ${CAMERA_NAME_MAX} characters`);
};

const NO_CAMERA = 'Use --camera-corner with --camera.';

const OPTIONS = {
  ...SCREEN_OPTIONS,
  seconds: parsed('SECONDS', 'stop after this time; by default Enter or Ctrl+C stops it', readSeconds),
  sound: choice('WHAT', AUDIO_SOURCES, 'audio to record; none by default'),
  'hide-pointer': flag('without the mouse pointer'),
  clicks: flag('mark each press of a mouse button with a ring; on X11 only'),
  keys: flag('show shortcuts and special keys, never typed characters; on X11 only'),
  camera: optional<string | null>(
    'NAME',
    'show a camera in a round bubble: the first one, or one by (a part of) its name',
    {
      withoutValue: null,
      read: readCamera,
    },
  ),
  'camera-corner': choice('CORNER', CAMERA_CORNERS, 'place of the bubble; bottom-left by default'),
  waiting: flag('publish the pending recording instead, such as one interrupted by a crash'),
  ...PUBLISH_OPTIONS,
} as const;

/** Notices that concern a recording made by this command. */
const NOTED: readonly ErrorCode[] = ['RECORDING_LIMIT', 'RECORDING_INTERRUPTED', 'INPUT_NOT_SHOWN', 'CAMERA_NOT_SHOWN'];
const WHOLE = { startMs: 0, endMs: null, form: 'video' } as const;

const RUNNING = failure('CAPTURE_BUSY', 'A recording is already in progress in Linkshot. Stop it there first.');

const isRunning = (recording: Recording | null): recording is RecordingIn<'countdown' | 'recording' | 'paused'> =>
  recording?.state === 'recording' || recording?.state === 'paused' || recording?.state === 'countdown';

/** Formats as 1:05. */
const formatLength = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Notes what concerns the recording, each sentence once: from now on as soon as it is known, the rest by `rest`. */
const noteNotices = (client: EngineClient, { report, terminal }: Pick<CommandContext, 'report' | 'terminal'>) => {
  const noted = new Set<string>();
  const note = (notices: readonly Failure[]) => {
    for (const { code, detail } of notices) {
      if (!NOTED.includes(code) || noted.has(detail)) continue;
      noted.add(detail);
      terminal?.write(CLEAR_LINE);
      report.note(detail);
    }
  };
  const earlier = new Set(client.state().notices.map(({ detail }) => detail));
  const stop = client.on((event) => {
    if (event.type === 'state') note(event.state.notices.filter(({ detail }) => !earlier.has(detail)));
  });
  return {
    rest() {
      stop();
      note(client.state().notices);
    },
  };
};

/** Waits until the user stops it, or until it has ended by itself. */
const untilItEnds = (
  client: EngineClient,
  id: RecordingId,
  seconds: number | undefined,
  { input, terminal, onInterrupt }: Pick<CommandContext, 'input' | 'terminal' | 'onInterrupt'>,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const undo: (() => void)[] = [];
    const end = () => {
      for (const one of undo) one();
      terminal?.write(CLEAR_LINE);
      resolve();
    };
    const timer = seconds === undefined ? undefined : setTimeout(end, seconds * 1_000);
    undo.push(() => clearTimeout(timer));
    undo.push(onInterrupt(end));
    undo.push(onAbort(signal, end));
    // Any line of input stops it; a closed input does not.
    const onInput = (data: Buffer | string) => {
      if (String(data).includes('\n')) end();
    };
    input.stream.on('data', onInput);
    undo.push(() => input.stream.off('data', onInput).pause());
    let wasRunning = false;
    undo.push(
      client.on((event) => {
        if (event.type !== 'state') return;
        const { recording } = event.state;
        const isOurs = isRunning(recording) && recording.id === id;
        if (isOurs && recording.state === 'recording')
          terminal?.write(
            `${CLEAR_LINE}Recording ${formatLength(recording.recordedMs + Date.now() - recording.since)}, ${formatBytes(recording.bytes)}. Press Enter to stop.`,
          );
        if (isOurs) wasRunning = true;
        else if (wasRunning) end();
      }),
    );
  });

/** The context of a command whose engine queues no recording of an earlier process before the command itself does. */
const withWaitingRecordings = (context: CommandContext): CommandContext => ({
  ...context,
  openClient: (keys, signal, options) => context.openClient(keys, signal, { ...options, leftRecordings: 'review' }),
});

export const record = command({
  name: 'record',
  summary: 'record the screen and print the link',
  group: 'Share',
  arguments: [{ name: 'N', summary: 'the number of the screen, with --screen', count: 'at most one' }],
  options: OPTIONS,
  description: [
    'Records until Enter, Ctrl+C or the end of --seconds, then publishes the recording; the limits of the account stop it too. Without --region, --screen, --window and --last, records all screens.',
    'The first Ctrl+C stops the recording and publishes it. The second stops waiting for the link: the recording is saved in the queue, and linkshot resume publishes it.',
    'After a crash, at most the last three seconds are lost: publish the rest with --waiting, or in the Linkshot window.',
  ],
  json: ['{"id","url","name","size","type"}, or {"error":{"code","message"}}.'],
  examples: [
    { words: 'record --camera --sound microphone', does: 'all screens, with your face and voice' },
    { words: 'record --region 100,100,800,600 --seconds 10', does: 'ten seconds of a part of the desktop' },
    { words: 'record --screen 2 --sound both --copy', does: 'a screen with all audio, link on the clipboard' },
  ],
  run: async ({ words, options }, context, signal) => {
    const { report } = context;
    const target = screenPart('record', words, options);
    if (!target.ok) return report.usageError(target.error);
    const { camera, 'camera-corner': corner } = options;
    if (corner !== undefined && camera === undefined) return report.usageError(failure('COMMAND_INVALID', NO_CAMERA));
    const requested = await requestedShare(options, context, signal);
    if (!requested.ok) return report.failed(null, requested.error);
    const request: RecordingRequest = {
      target: target.value,
      sound: options.sound ?? 'none',
      pointer: options['hide-pointer'] ? 'hide' : 'show',
      clicks: options.clicks ? 'show' : 'hide',
      keys: options.keys ? 'show' : 'hide',
      ...(camera !== undefined && { camera: { name: camera, corner: corner ?? 'bottom-left' } }),
      countdownSeconds: 0,
      after: 'review',
    };
    /** Resolves with the recording to publish; without an id, it is the one that waits. */
    const run = async (client: EngineClient, share: LinkSettings): Promise<Result<{ readonly id?: RecordingId }>> => {
      if (options.waiting) return isRunning(client.state().recording) ? err(RUNNING) : ok({});
      const started = await client.call('recording.start', { ...request, share });
      if (!started.ok) return started;
      if (!context.terminal) report.note('Recording. Press Enter or Ctrl+C to stop.');
      await untilItEnds(client, started.value.id, options.seconds, context, signal);
      return started;
    };
    const enter = async (client: EngineClient): Promise<Result<ItemId>> => {
      const link = requested.value(client);
      if (!link.ok) return link;
      const notices = noteNotices(client, context);
      const ran = await run(client, link.value);
      if (!ran.ok) return ran;
      const stopped = await client.call('recording.stop', ran.value);
      if (!stopped.ok) return stopped;
      notices.rest();
      // A duration counts from the link, not from the start of the recording.
      const share = { ...link.value, ...expiryOf(options, new Date()) };
      const queued = await client.call('recording.publish', { id: stopped.value.id, cut: WHOLE, share });
      if (queued.ok) return ok(queued.value.item);
      return signal.aborted ? err(failure('CANCELLED', 'Stopped. The recording is kept in Linkshot.')) : queued;
    };
    const entry: Entry = { name: null, enter };
    await publish([entry], options, options.waiting ? withWaitingRecordings(context) : context, signal);
  },
});
