/** A registry in memory, and Windows' own where there is one. */
import { createRegistry, type Registry, runRegIn } from '../../src/base/node/windows-registry.ts';
import { isWindows } from './only-on.ts';

/** Of all tests; a test removes what it writes outside of it. */
export const TEST_KEY = 'HKCU\\Software\\Linkshot tests';

/** By `KEY` or `KEY -> NAME`; the default value has the name ``. Windows ignores case; this one needs the same. */
export interface MemoryRegistry extends Registry {
  readonly values: Map<string, number | string>;
}

export const memoryRegistry = (): MemoryRegistry => {
  const values = new Map<string, number | string>();
  const keysOf = (key: string): string[] =>
    [...values.keys()].filter((path) => path.startsWith(`${key} -> `) || path.startsWith(`${key}\\`));
  return {
    values,
    async readNumber(key, name) {
      const value = values.get(`${key} -> ${name}`);
      return typeof value === 'number' ? value : null;
    },
    hasKey: async (key) => keysOf(key).length > 0,
    async write(key, name, value) {
      values.set(`${key} -> ${name ?? ''}`, value);
    },
    async removeValue(key, name) {
      values.delete(`${key} -> ${name}`);
    },
    async removeKey(key) {
      for (const path of keysOf(key)) values.delete(path);
    },
  };
};

/** Windows' own on Windows, else one in memory. */
export const someRegistry = (): Registry => (isWindows ? createRegistry(runRegIn(process.env)) : memoryRegistry());
