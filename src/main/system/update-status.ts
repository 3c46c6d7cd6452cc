/**
 * Keeps the result of the last update check for the settings page: no checks in this version, none completed yet, up to
 * date, or the new version that was found, is downloaded or waits for the user.
 */

import type { Clock } from '../../engine/ports.ts';
import type { CommandOutput } from '../../ipc/protocol/command-table.ts';

type News = CommandOutput<'app.updates'>;

export interface UpdateStatus {
  readonly read: () => News;
  /** This version checks for updates. */
  follows(): void;
  /** A check has completed, and there is nothing newer. */
  looked(): void;
  /** As in `app.updates`. A version that is `ready` stays so. */
  found(state: 'found' | 'ready' | 'there', version: string): void;
}

export const createUpdateStatus = (clock: Pick<Clock, 'now'>): UpdateStatus => {
  let status: News = { state: 'not-looked-for', version: null, checkedAt: null };
  return {
    read: () => status,
    follows() {
      status = { ...status, state: 'not-checked' };
    },
    looked() {
      const state = status.version === null ? 'current' : status.state;
      status = { ...status, state, checkedAt: clock.now() };
    },
    found(state, version) {
      const isReady = status.state === 'ready' && status.version === version;
      status = { state: isReady ? 'ready' : state, version, checkedAt: clock.now() };
    },
  };
};
