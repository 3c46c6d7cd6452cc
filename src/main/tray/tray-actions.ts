/** Runs the actions of the tray menu. An error becomes a notice in the app's window. */

import { basename } from 'node:path';
import { dialog } from 'electron';
import { ok, type Result, unreachable } from '../../api/errors.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { Engine } from '../../engine/engine.ts';
import type { DesktopClipboard } from '../adapters/clipboard.ts';
import type { MainScreen } from '../windows/main-window.ts';
import type { Pins } from '../windows/pins.ts';
import type { TrayAction } from './tray-menu.ts';

export interface TrayActionsDeps {
  readonly engine: Engine;
  readonly clipboard: Pick<DesktopClipboard, 'readText'>;
  readonly pins: Pick<Pins, 'addClipboard' | 'takeClicks' | 'close'> | null;
  readonly show: (screen: MainScreen) => void;
  readonly quit: () => void;
}

/** Aborting `signal` cancels running commands. */
export const createTrayActions = (deps: TrayActionsDeps, signal: AbortSignal): ((action: TrayAction) => void) => {
  const { engine, clipboard, pins, show, quit } = deps;

  const uploadFiles = async (): Promise<Result<unknown>> => {
    const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] });
    if (filePaths.length === 0) return ok(undefined);
    return engine.queue.add(filePaths.map((path) => ({ source: { owner: 'user', path }, name: basename(path) })));
  };

  const newNote = async (): Promise<Result<unknown>> => {
    const text = await clipboard.readText();
    return text.ok ? engine.note.add({ text: text.value }) : text;
  };

  /** The error of one item from the service or the library. */
  const answered = (reply: ReturnType<Engine['library']['undelete']>): Result<unknown> => {
    if (reply.ok) for (const { failure } of reply.value.answers) if (failure) engine.app.notify(failure);
    return reply;
  };

  const act = async (action: TrayAction): Promise<Result<unknown>> => {
    switch (action.do) {
      case 'capture': {
        const { mode, delaySeconds } = action;
        return engine.capture.start({ mode, ...(delaySeconds === undefined ? {} : { delaySeconds }) }, signal);
      }
      case 'capture-text':
        return engine.capture.start({ mode: 'region', purpose: 'text', delaySeconds: 0 }, signal);
      case 'capture-scrolling':
        return engine.capture.start({ mode: 'region', purpose: 'scrolling', delaySeconds: 0 }, signal);
      case 'stop-scrolling':
        return engine.capture.stopScrolling({ id: action.id });
      case 'record':
        return engine.capture.start({ mode: action.mode, purpose: 'recording', delaySeconds: 0 }, signal);
      case 'cancel-capture':
        return engine.capture.cancel();
      case 'restore-capture':
        return engine.capture.restore({ id: action.id });
      case 'stop-recording':
        return engine.recording.stop({});
      case 'pause-recording':
        return engine.recording.pause();
      case 'resume-recording':
        return engine.recording.resume();
      case 'copy-link':
        return engine.link.copy({ id: action.id });
      case 'open-link':
        return engine.link.open({ id: action.id });
      case 'delete':
        return answered(await engine.library.delete({ ids: [action.id], when: 'after-undo' }, signal));
      case 'undelete':
        return answered(engine.library.undelete({ ids: [action.id] }));
      case 'pause-all':
        return engine.queue.pauseAll();
      case 'resume-all':
        return engine.queue.resumeAll();
      case 'pin-clipboard':
        return (await pins?.addClipboard()) ?? ok(undefined);
      case 'take-clicks':
        return ok(pins?.takeClicks());
      case 'close-pins':
        return ok(pins?.close());
      case 'upload-files':
        return uploadFiles();
      case 'upload-clipboard':
        return engine.intake.addClipboard();
      case 'new-note':
        return newNote();
      case 'show':
        return ok(show(action.screen));
      case 'quit':
        return ok(quit());
      default:
        return unreachable(action);
    }
  };

  return (action) => {
    act(action).then(
      (done) => {
        if (!done.ok && done.error.code !== 'CANCELLED') engine.app.notify(done.error);
      },
      (error: unknown) => {
        if (!signal.aborted) engine.app.notify(failureOfThrown(error, `This could not be done: ${String(error)}`));
      },
    );
  };
};
