/** Keeps the list of the system's monitors up to date. It is empty until the system has answered for the first time. */
import type { Screen } from 'electron';
import type { Result } from '../../api/errors.ts';
import type { Area } from '../../ipc/protocol/capture.ts';

/** What Electron reports of displays that change. */
export const SCREEN_EVENTS = ['display-added', 'display-removed', 'display-metrics-changed'] as const;

/** Returns a function that answers at once; a list that cannot be read leaves the one before. */
export const followMonitors = (
  screen: Pick<Screen, 'on'>,
  list: () => Promise<Result<readonly Area[]>>,
): (() => readonly Area[]) => {
  let monitors: readonly Area[] = [];
  const read = async (): Promise<void> => {
    const listed = await list();
    if (listed.ok) monitors = listed.value;
  };
  for (const event of SCREEN_EVENTS) screen.on(event as 'display-added', read);
  void read();
  return () => monitors;
};
