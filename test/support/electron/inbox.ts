/** Electron's single instance lock: the first start of a profile has it; later ones send their data to it in a file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface SecondStart {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly data: unknown;
}

export interface Inbox {
  /** Returns whether this start is the first; a later one has then sent its data to it. */
  take(start: SecondStart, hear: (start: SecondStart) => void): boolean;
  leave(): void;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const createInbox = (userData: () => string): Inbox => {
  const owner = (): string => join(userData(), 'single-instance');
  const letters = (): string => join(userData(), 'second-instances');
  let stop = (): void => {};
  return {
    take(start, hear) {
      mkdirSync(letters(), { recursive: true });
      if (existsSync(owner()) && isAlive(Number(readFileSync(owner(), 'utf8')))) {
        const letter = join(letters(), `${process.pid}-${process.hrtime.bigint()}`);
        writeFileSync(`${letter}.part`, JSON.stringify(start));
        renameSync(`${letter}.part`, `${letter}.json`);
        return false;
      }
      writeFileSync(owner(), String(process.pid));
      const read = (): void => {
        for (const name of readdirSync(letters()).filter((each) => each.endsWith('.json'))) {
          const letter = join(letters(), name);
          const said = JSON.parse(readFileSync(letter, 'utf8')) as SecondStart;
          rmSync(letter);
          hear(said);
        }
      };
      const watcher = watch(letters(), read);
      stop = () => watcher.close();
      return true;
    },
    leave() {
      stop();
      rmSync(owner(), { force: true });
    },
  };
};
