/** Detects other programs that use a hotkey, where the system reports it, and suggests a solution. */

import { type Failure, failure } from '../../api/errors.ts';
import { runProgram, windowsProgram } from '../../base/node/run-program.ts';
import { type Accelerator, formatAccelerator } from './accelerator.ts';

/** Null: no conflict known. `outcome`: the system's answer to the registration. */
export type FindConflict = (accelerator: Accelerator, outcome: 'asked' | 'refused') => Promise<Failure | null>;

export interface ConflictDeps {
  readonly platform: string;
  /** Runs a program that comes with Windows; resolves to its output, or null where it failed. */
  readonly run: (program: string, args: readonly string[]) => Promise<string | null>;
}

const VALUE = 'PrintScreenKeyForSnippingEnabled';
const QUERY = ['query', 'HKCU\\Control Panel\\Keyboard', '/v', VALUE] as const;
const INSTEAD = 'Control+PrintScreen';

/** Parses `reg query`: whether the Print Screen key opens the Snipping Tool; null: no such value. */
export const parseSnipping = (text: string | null): boolean | null => {
  const value = text?.match(new RegExp(`${VALUE}\\s+REG_DWORD\\s+0x([0-9a-f]+)`, 'i'))?.[1];
  return value === undefined ? null : Number.parseInt(value, 16) !== 0;
};

/** The variables that Windows needs to start a program; others are not passed on. */
const PASSED_ON = ['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot'] as const;
const TIMEOUT_MS = 5_000;

export const runProgramIn =
  (environment: Readonly<Record<string, string | undefined>>): ConflictDeps['run'] =>
  (program, args) => {
    const env = Object.fromEntries(PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
    return runProgram(windowsProgram(program, environment), args, { env, timeout: TIMEOUT_MS }).then(
      ({ stdout }) => stdout.toString(),
      () => null,
    );
  };

export const createFindConflict =
  ({ platform, run }: ConflictDeps): FindConflict =>
  async (accelerator, outcome) => {
    if (platform !== 'win32' || formatAccelerator(accelerator) !== 'PrintScreen') return null;
    const isOn = parseSnipping(await run('reg.exe', QUERY));
    // Newer versions of Windows open it also where the value is missing.
    if (isOn === false || (isOn === null && outcome === 'asked')) return null;
    return failure(
      'HOTKEY_TAKEN',
      `Windows opens its Snipping Tool with the Print Screen key. Use ${INSTEAD}, or turn off "Use the Print screen key to open screen capture" in Settings, Accessibility, Keyboard, and try again.`,
      { params: { hotkey: 'PrintScreen', by: 'snipping-tool', offer: INSTEAD } },
    );
  };
