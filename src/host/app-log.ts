/** The app's log in the profile folder: what a host reports, each new error of an item, and each new notice. */
import { join } from 'node:path';
import { openRotatingLog } from '../base/node/rotating-log.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../engine/ports.ts';
import { APP_LOG } from '../ipc/protocol/commands/local-data.ts';

export type Log = (line: string) => void;

const MAX_BYTES = 1024 * 1024;
const KEPT = 2;

/** Writes each line with its time to the profile's log, and as it is to `echo`. */
export const openAppLog = (profileDir: string, clock: Pick<Clock, 'now'>, echo: Log): Log => {
  const write = openRotatingLog(join(profileDir, APP_LOG), { maxBytes: MAX_BYTES, kept: KEPT });
  return (line) => {
    echo(line);
    write(`${new Date(clock.now()).toISOString()} ${line}`);
  };
};

/** Logs each new error of an item and each new notice: codes, item ids and messages, never keys. */
export const logErrors = (engine: Pick<Engine, 'on' | 'state'>, log: Log): void => {
  let known = new Set<string>();
  const check = ({ queue, notices }: ReturnType<Engine['state']>): void => {
    const current = new Set([
      ...queue.items.flatMap(({ id, state, error }) =>
        error ? [`Item ${id} (${state}): ${error.failure.code}: ${error.failure.detail}`] : [],
      ),
      ...notices.map(({ code, detail }) => `${code}: ${detail}`),
    ]);
    for (const line of current) if (!known.has(line)) log(line);
    known = current;
  };
  check(engine.state());
  engine.on((event) => {
    if (event.type === 'state') check(event.state);
  });
};
