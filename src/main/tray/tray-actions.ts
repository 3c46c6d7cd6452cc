/** The actions of the tray menu. An error is shown as a notification. */
import { basename } from 'node:path';
import { dialog } from 'electron';
import { failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { Engine } from '../../engine/engine.ts';
import type { DesktopClipboard } from '../ports/clipboard.ts';
import type { MainScreen } from '../windows/main-window.ts';
import type { TrayAction } from './tray-menu.ts';

export interface TrayActionsDeps {
  readonly engine: Engine;
  readonly clipboard: Pick<DesktopClipboard, 'readText'>;
  readonly show: (screen: MainScreen) => void;
  readonly quit: () => void;
}

/** Aborting `signal` cancels running commands. */
export const createTrayActions = (deps: TrayActionsDeps, signal: AbortSignal): ((action: TrayAction) => void) => {
  const { engine, clipboard, show, quit } = deps;

  const uploadFiles = async (): Promise<Result<unknown>> => {
    const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'multiSelections'] });
    if (filePaths.length === 0) return ok(undefined);
    return engine.add(filePaths.map((path) => ({ source: { owner: 'person', path }, name: basename(path) })));
  };

  const newNote = async (): Promise<Result<unknown>> => {
    const text = await clipboard.readText();
    return text.ok ? engine.addNote({ text: text.value }) : text;
  };

  /** The error of one item from the service or the library. */
  const answered = (answers: readonly { readonly failure: Parameters<Engine['notify']>[0] | null }[]): void => {
    for (const { failure } of answers) if (failure) engine.notify(failure);
  };

  const act = async (action: TrayAction): Promise<Result<unknown>> => {
    switch (action.do) {
      case 'capture': {
        const { mode, delaySeconds } = action;
        return engine.startCapture({ mode, ...(delaySeconds === undefined ? {} : { delaySeconds }) }, signal);
      }
      case 'record':
        return engine.startCapture({ mode: action.mode, purpose: 'recording', delaySeconds: 0 }, signal);
      case 'cancel-capture':
        return ok(await engine.cancelCapture());
      case 'restore-capture':
        return engine.restoreCapture(action.id);
      case 'stop-recording':
        return engine.stopRecording();
      case 'pause-recording':
        return engine.pauseRecording();
      case 'resume-recording':
        return engine.resumeRecording();
      case 'copy-link':
        return engine.copyLink({ id: action.id });
      case 'open-link':
        return engine.openLink(action.id);
      case 'delete':
        return ok(answered(await engine.deleteItems([action.id], 'after-undo', signal)));
      case 'undelete':
        return ok(answered(engine.undeleteItems([action.id])));
      case 'pause-all':
        return ok(engine.pauseAll());
      case 'resume-all':
        return ok(engine.resumeAll());
      case 'upload-files':
        return uploadFiles();
      case 'upload-clipboard':
        return engine.addClipboard();
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
        if (!done.ok && done.error.code !== 'CANCELLED') engine.notify(done.error);
      },
      (error: unknown) => {
        if (!signal.aborted) engine.notify(failure('APP_FAILED', `This could not be done: ${String(error)}`));
      },
    );
  };
};
