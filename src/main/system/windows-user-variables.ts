/**
 * Reads and writes the environment variables that Windows keeps for the user, through functions of Windows. The program
 * `reg.exe` would damage letters that the console's code page lacks.
 */
import type { FieldType } from 'ffi-rs';
import { windowsProgram } from '../../base/node/run-program.ts';

/** `hasReferences`: Windows replaces `%NAME%` in it (REG_EXPAND_SZ). */
export interface Variable {
  readonly value: string;
  readonly hasReferences: boolean;
}

export interface UserEnvironment {
  /** As it is stored, with its references. Null: no such variable. Throws where Windows refuses. */
  read(name: string): Variable | null;
  /** Throws where Windows refuses. */
  write(name: string, variable: Variable): void;
  /** Does nothing without such a variable. Throws where Windows refuses. */
  remove(name: string): void;
  /** Tells running programs, so that consoles opened from now on have the change. */
  announce(): void;
}

type Surroundings = Readonly<Record<string, string | undefined>>;

/** HKEY_CURRENT_USER, as a 64-bit handle. */
const CURRENT_USER = -0x7fff_ffff;
const KEY = 'Environment';
/** REG_SZ and REG_EXPAND_SZ. */
const TEXT = 1;
const TEXT_WITH_REFERENCES = 2;
/** RRF_RT_REG_SZ, RRF_RT_REG_EXPAND_SZ and RRF_NOEXPAND. */
const EITHER_TEXT_AS_STORED = 0x1000_0006;
const DONE = 0;
const NOT_FOUND = 2;
const MORE_DATA = 234;
const ALL_WINDOWS = 0xffff;
const SETTING_CHANGED = 0x1a;
const ABORT_IF_HUNG = 2;
const PATIENCE_MS = 1_000;
/** Bytes. Most values fit, longer ones are read again. */
const FIRST_SIZE = 4_096;

const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

/** Rejects where the native module is missing. `key` is below HKEY_CURRENT_USER. */
export const openUserEnvironment = async (environment: Surroundings, key = KEY): Promise<UserEnvironment> => {
  // Loaded only where a variable is read.
  const { default: ffi } = await import('ffi-rs');
  const { I32, U32, I64, U8Array } = ffi.DataType;
  // By full path, because a bare name may resolve to another folder.
  for (const library of ['advapi32', 'user32'])
    ffi.open({ library, path: windowsProgram(`${library}.dll`, environment) });
  const bind =
    (library: string, funcName: string, paramsType: FieldType[]) =>
    (...paramsValue: (number | Buffer)[]): number =>
      ffi.load({ library, funcName, retType: I32, paramsType, paramsValue }) as number;
  const getValue = bind('advapi32', 'RegGetValueW', [I64, U8Array, U8Array, U32, U8Array, U8Array, U8Array]);
  const setValue = bind('advapi32', 'RegSetKeyValueW', [I64, U8Array, U8Array, U32, U8Array, U32]);
  const deleteValue = bind('advapi32', 'RegDeleteKeyValueW', [I64, U8Array, U8Array]);
  const sendToWindows = bind('user32', 'SendMessageTimeoutW', [I64, U32, I64, U8Array, U32, U32, U8Array]);

  const refuse = (what: string, name: string, code: number): never => {
    throw new Error(`Windows refused to ${what} the variable ${name} of this user (error ${code}).`);
  };
  const readInto = (name: string, into: Buffer): Variable | null => {
    const [type, size] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32LE(into.length);
    const code = getValue(CURRENT_USER, wide(key), wide(name), EITHER_TEXT_AS_STORED, type, into, size);
    if (code === NOT_FOUND) return null;
    if (code === MORE_DATA) return readInto(name, Buffer.alloc(size.readUInt32LE() + FIRST_SIZE));
    if (code !== DONE) refuse('read', name, code);
    const stored = into.toString('utf16le', 0, size.readUInt32LE());
    const [value = ''] = stored.split('\0', 1);
    return { value, hasReferences: type.readUInt32LE() === TEXT_WITH_REFERENCES };
  };

  return {
    read: (name) => readInto(name, Buffer.alloc(FIRST_SIZE)),
    write(name, { value, hasReferences }) {
      const data = wide(value);
      const type = hasReferences ? TEXT_WITH_REFERENCES : TEXT;
      const code = setValue(CURRENT_USER, wide(key), wide(name), type, data, data.length);
      if (code !== DONE) refuse('change', name, code);
    },
    remove(name) {
      const code = deleteValue(CURRENT_USER, wide(key), wide(name));
      if (code !== DONE && code !== NOT_FOUND) refuse('remove', name, code);
    },
    announce() {
      const result = Buffer.alloc(8);
      sendToWindows(ALL_WINDOWS, SETTING_CHANGED, 0, wide(KEY), ABORT_IF_HUNG, PATIENCE_MS, result);
    },
  };
};
