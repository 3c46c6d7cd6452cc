/** Reads and writes the registry of Windows through `reg.exe`. */
import { runProgram, windowsProgram } from './run-program.ts';

export interface Registry {
  /** A REG_DWORD. Null: no such value, or it cannot be read. */
  readNumber(key: string, name: string): Promise<number | null>;
  hasKey(key: string): Promise<boolean>;
  /**
   * Writes a REG_DWORD for a number, else a REG_SZ, and creates the key. `name` null: the key's default value. Rejects
   * where Windows refuses.
   */
  write(key: string, name: string | null, value: number | string): Promise<void>;
  /** Does nothing without such a value. Rejects where Windows refuses. */
  removeValue(key: string, name: string): Promise<void>;
  /** Removes the key with all its subkeys; does nothing without it. Rejects where Windows refuses. */
  removeKey(key: string): Promise<void>;
}

/** Runs `reg.exe`; resolves to its output, or null where it failed. */
export type RunReg = (args: readonly string[]) => Promise<string | null>;

/** The variables that Windows needs to start a program; others are not passed on. */
const PASSED_ON = ['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot'] as const;
const TIMEOUT_MS = 5_000;

/** The output may be in the code page of the console: only ASCII is certain. */
export const runRegIn =
  (environment: Readonly<Record<string, string | undefined>>): RunReg =>
  (args) => {
    const env = Object.fromEntries(PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
    return runProgram(windowsProgram('reg.exe', environment), args, { env, timeout: TIMEOUT_MS }).then(
      ({ stdout }) => stdout.toString(),
      () => null,
    );
  };

const escaped = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export const createRegistry = (run: RunReg): Registry => {
  const change = async (args: readonly string[]): Promise<void> => {
    if ((await run(args)) === null) throw new Error(`Windows refused to change its registry: reg ${args.join(' ')}`);
  };
  const query = (key: string, ...of: readonly string[]) => run(['query', key, ...of]);
  return {
    async readNumber(key, name) {
      const text = await query(key, '/v', name);
      const value = text?.match(new RegExp(`${escaped(name)}\\s+REG_DWORD\\s+0x([0-9a-f]+)`, 'i'))?.[1];
      return value === undefined ? null : Number.parseInt(value, 16);
    },
    hasKey: async (key) => (await query(key)) !== null,
    write: (key, name, value) =>
      change([
        ...['add', key, ...(name === null ? ['/ve'] : ['/v', name])],
        ...['/t', typeof value === 'number' ? 'REG_DWORD' : 'REG_SZ', '/d', String(value), '/f'],
      ]),
    async removeValue(key, name) {
      if ((await query(key, '/v', name)) !== null) await change(['delete', key, '/v', name, '/f']);
    },
    async removeKey(key) {
      if ((await query(key)) !== null) await change(['delete', key, '/f']);
    },
  };
};
