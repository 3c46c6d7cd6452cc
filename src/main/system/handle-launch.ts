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

interface FoundPaths {
  readonly found: string[];
  readonly errors: readonly Failure[];
}

/** The paths that exist, each once, and an error for each of the others. */
export const findPaths = async (paths: readonly string[]): Promise<FoundPaths> => {
  const found: string[] = [];
  const errors: Failure[] = [];
  for (const path of new Set(paths)) {
    if (await isThere(path)) found.push(path);
    else errors.push(failure('SOURCE_MISSING', `${path} does not exist.`, { params: { name: basename(path) } }));
  }
  return { found, errors };
};

/** Resolves when everything is in the queue. Errors are shown in the window. */
export const handleLaunches = async (
  { host, window, log }: LaunchDeps,
  starts: readonly Start[],
  signal: AbortSignal,
): Promise<void> => {
  const { dispatcher, engine } = host;
  const showError = (reason: Failure): void => {
    // The user has cancelled it themselves, or the app quits.
    if (reason.code === 'CANCELLED') return;
    log(reason.detail);
    engine.app.notify(reason);
    window.show();
  };

  const { found, errors } = await findPaths(starts.flatMap(({ paths }) => paths));
  for (const error of errors) showError(error);
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
  // The window shows where the files go, and who will see them.
  if (starts.some((start) => !start.isHidden && start.link === null)) window.show();
};
