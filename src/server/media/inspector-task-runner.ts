/**
 * Runs tasks in a child process that opens untrusted files. On Linux it also reads how much processor time the child
 * process has used.
 */
import { readFileSync } from '../../base/node/retrying-fs.ts';
import type { Runner } from '../fairness/fair-pool.ts';
import { INSPECTOR_SETTINGS, type StartInspectorProcess } from './start-inspector-process.ts';

/** Messages of the child about its task, in this order; `megapixels` for images only. */
export type ChildMessage<Answer> =
  /** The size to decode. */
  | { readonly kind: 'megapixels'; readonly megapixels: number }
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The child is ready for the next task. `made`: the output besides its result. */
  | { readonly kind: 'done'; readonly made: Uint8Array | null };

export interface ChildWork<Task> {
  readonly task: Task;
  /** Allowed processor time for a file of so many megapixels. */
  readonly allowMs: (megapixels: number) => number;
  /** Called once after the result, at the end of the task or of the child. */
  readonly made: (bytes: Uint8Array | null) => void;
}

/** Fields of /proc/PID/stat after the name: user and system time, and both of ended children. */
const TIMES_AT = 11;
/** Linux counts these times in hundredths of a second on every machine. */
const MS_PER_TICK = 10;

/** Null if the system does not report it, or the process has ended. */
const processorMsOf = (pid: number | undefined): number | null => {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(TIMES_AT, TIMES_AT + 4);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK;
  } catch {
    return null;
  }
};

/** Rejects as `start` does. */
export const startTaskChild = async <Task extends object, Answer>(
  start: StartInspectorProcess,
): Promise<Runner<ChildWork<Task>, Answer>> => {
  const child = await start(INSPECTOR_SETTINGS);

  return {
    run: ({ task, allowMs, made }, { answered, allow }) =>
      new Promise((resolve, reject) => {
        let isAnswered = false;
        const finish = (bytes: Uint8Array | null): void => {
          child.listen(null);
          // A task without a result may be restarted.
          if (isAnswered) made(bytes);
        };
        child.listen({
          message(message) {
            const reply = message as ChildMessage<Answer>;
            if (reply.kind === 'megapixels') allow(allowMs(reply.megapixels));
            else if (reply.kind === 'answer') {
              isAnswered = true;
              answered(reply.answer);
            } else {
              finish(reply.made);
              resolve();
            }
          },
          end() {
            finish(null);
            reject(new Error('The inspector has ended over a file.'));
          },
        });
        child.send(task);
      }),
    usedMs: () => processorMsOf(child.pid),
    stop: child.kill,
    isAlive: child.isAlive,
  };
};
