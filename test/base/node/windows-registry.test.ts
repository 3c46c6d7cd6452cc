/** The registry of Windows: the arguments of reg.exe everywhere, what it does on Windows itself. */
import { afterEach, describe, expect, it } from 'vitest';
import { createRegistry, runRegIn } from '../../../src/base/node/windows-registry.ts';
import { isWindows } from '../../support/only-on.ts';
import { TEST_KEY } from '../../support/registry.ts';

const answering = (...answers: (string | null)[]) => {
  const calls: (readonly string[])[] = [];
  const registry = createRegistry(async (args) => {
    calls.push(args);
    return answers.length > 1 ? (answers.shift() ?? null) : (answers[0] ?? null);
  });
  return { registry, calls };
};

describe('reg.exe', () => {
  it('is asked for numbers, and answers in hexadecimal', async () => {
    const text = '\r\nHKEY_CURRENT_USER\\A b\r\n    Some.Name    REG_DWORD    0x1f\r\n\r\n';
    const { registry, calls } = answering(text);
    expect(await registry.readNumber('HKCU\\A b', 'Some.Name')).toBe(31);
    expect(await registry.readNumber('HKCU\\A b', 'SomeXName')).toBeNull();
    expect(calls[0]).toEqual(['query', 'HKCU\\A b', '/v', 'Some.Name']);
    expect(await answering(null).registry.readNumber('HKCU\\A', 'B')).toBeNull();
    expect(await answering('ERROR: The system was unable to find it.').registry.readNumber('HKCU\\A', 'B')).toBeNull();
  });

  it('writes texts and numbers, and the default value of a key', async () => {
    const { registry, calls } = answering('');
    await registry.write('HKCU\\A', null, '"C:\\a b.exe" -- "%1"');
    await registry.write('HKCU\\A', 'B', 7);
    expect(calls).toEqual([
      ['add', 'HKCU\\A', '/ve', '/t', 'REG_SZ', '/d', '"C:\\a b.exe" -- "%1"', '/f'],
      ['add', 'HKCU\\A', '/v', 'B', '/t', 'REG_DWORD', '/d', '7', '/f'],
    ]);
  });

  it('deletes only existing values, and returns an error when the registry refuses', async () => {
    const missing = answering(null);
    await missing.registry.removeKey('HKCU\\A');
    await missing.registry.removeValue('HKCU\\A', 'B');
    expect(missing.calls.map(([verb]) => verb)).toEqual(['query', 'query']);
    await expect(answering('', null).registry.removeKey('HKCU\\A')).rejects.toThrow('reg delete HKCU\\A /f');
    await expect(answering(null).registry.write('HKCU\\A', 'B', 1)).rejects.toThrow('Windows refused');
  });
});

describe.skipIf(!isWindows)(`the registry of Windows${isWindows ? '' : ' [skipped: this is not Windows]'}`, () => {
  const registry = createRegistry(runRegIn(process.env));
  afterEach(() => registry.removeKey(TEST_KEY));

  it('keeps numbers until they are removed', async () => {
    expect(await registry.readNumber(TEST_KEY, 'Number')).toBeNull();
    for (const number of [0, 1, 4_294_967_295]) {
      await registry.write(TEST_KEY, 'Number', number);
      expect(await registry.readNumber(TEST_KEY, 'Number')).toBe(number);
    }
    await registry.removeValue(TEST_KEY, 'Number');
    await registry.removeValue(TEST_KEY, 'Number');
    expect(await registry.readNumber(TEST_KEY, 'Number')).toBeNull();
  });

  it('keeps the quotes of a command line, and removes a key with its subkeys', async () => {
    const command = String.raw`"C:\Program Files\Linkshot\Linkshot.exe" --profile "D:\a b" -- "%1"`;
    await registry.write(`${TEST_KEY}\\*\\shell\\Linkshot\\command`, null, command);
    expect(await runRegIn(process.env)(['query', `${TEST_KEY}\\*\\shell\\Linkshot\\command`, '/ve'])).toContain(
      command,
    );
    expect(await registry.hasKey(`${TEST_KEY}\\*\\shell\\Linkshot`)).toBe(true);
    await registry.removeKey(TEST_KEY);
    expect(await registry.hasKey(TEST_KEY)).toBe(false);
  });
});
