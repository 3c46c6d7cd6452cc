/**
 * Does what a start of the app requests: shares the files as one batch, opens the link, shows the window. Takes the
 * requests of several starts at once.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Failure, failure } from '../../api/errors.ts';
import type { HostCore } from '../../host/start-host-core.ts';
import type { MainWindow } from '../windows/main-window.ts';
import { readLink } from './deep-link.ts';
import type { Start } from './launch-args.ts';

export interface LaunchDeps {
  readonly host: Pick<HostCore, 'dispatcher'> & {
    readonly engine: {
      readonly capture: Pick<HostCore['engine']['capture'], 'start'>;
      readonly app: Pick<HostCore['engine']['app'], 'notify'>;
    };
  };
  readonly window: Pick<MainWindow, 'show'>;
  readonly log: (line: string) => void;
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** Resolves when everything is in the queue. Errors are shown in the window. */
export const handleLaunches = async (
  { host, window, log }: LaunchDeps,
  starts: readonly Start[],
  signal: AbortSignal,
): Promise<void> => {
  const { dispatcher, engine } = host;
  const showError = (reason: Failure): void => {
    log(reason.detail);
    engine.app.notify(reason);
    window.show();
  };

  const paths = [...new Set(starts.flatMap((start) => start.paths))];
  const found: string[] = [];
  for (const path of paths) {
    if (await isThere(path)) found.push(path);
    else showError(failure('SOURCE_MISSING', `${path} does not exist.`, { params: { name: basename(path) } }));
  }
  if (found.length > 0) {
    const added = await dispatcher.dispatch('owner', 'queue.addPaths', { paths: found }, signal);
    if (!added.ok) showError(added.error);
  }

  const link = starts.findLast((start) => start.link !== null)?.link ?? null;
  const request = link === null ? null : readLink(link);
  if (link !== null && request === null) log('A link that asks for nothing Linkshot does was left alone.');
  if (request?.kind === 'capture') {
    const begun = await engine.capture.start({ mode: request.mode }, signal);
    if (!begun.ok) showError(begun.error);
    return;
  }
  if (request?.kind === 'open') return window.show(request.screen);
  // First show where files go, and who will see them.
  if (starts.some((start) => !start.isHidden && start.link === null)) window.show();
};
