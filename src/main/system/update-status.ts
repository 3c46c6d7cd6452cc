/** The update status for the settings page. */

import type { Clock } from '../../engine/ports.ts';
import type { CommandOutput } from '../../ipc/protocol/ipc.ts';

type News = CommandOutput<'app.updates'>;

export interface UpdateStatus {
  readonly read: () => News;
  /** A check has completed. */
  looked(): void;
  found(state: 'ready' | 'there', version: string): void;
}

export const createUpdateStatus = (clock: Pick<Clock, 'now'>): UpdateStatus => {
  let news: News = { state: 'not-looked-for', version: null, checkedAt: null };
  return {
    read: () => news,
    looked() {
      const state = news.state === 'not-looked-for' ? 'current' : news.state;
      news = { ...news, state, checkedAt: clock.now() };
    },
    found(state, version) {
      news = { state, version, checkedAt: clock.now() };
    },
  };
};
