/** Handlers of the recording commands. */

import { ok } from '../../../api/errors.ts';
import type { recordingCommands } from '../../protocol/commands/recording.ts';
import { done, type HandlerDeps, type HandlersOf } from './handlers.ts';

export const recordingHandlers = ({ engine }: HandlerDeps): HandlersOf<keyof typeof recordingCommands> => ({
  'recording.start': (request, signal) => done(engine.startRecording(request, signal)),
  'recording.pause': () => done(engine.pauseRecording()),
  'recording.resume': () => done(engine.resumeRecording()),
  'recording.stop': async () => {
    const stopped = await engine.stopRecording();
    return stopped.ok ? ok({ id: stopped.value }) : stopped;
  },
  'recording.publish': async ({ id, cut, share }, signal) => {
    const queued = await engine.publishRecording({ id, cut, share: share ?? {} }, signal);
    return queued.ok ? ok({ item: queued.value }) : queued;
  },
  'recording.discard': async () => {
    await engine.discardRecording();
    return ok({});
  },
  'recording.sounds': async (_, signal) => {
    const found = await engine.recordingSounds(signal);
    return found.ok ? ok({ sounds: [...found.value] }) : found;
  },
});
