/** The registry of Windows shows whether the Snipping Tool uses the Print Screen key. */
import { expect, it } from 'vitest';
import { createFindConflict, parseSnipping } from '../../../src/engine/hotkeys/hotkey-conflicts.ts';

const saying = (value: string) =>
  `\r\nHKEY_CURRENT_USER\\Control Panel\\Keyboard\r\n    PrintScreenKeyForSnippingEnabled    REG_DWORD    ${value}\r\n\r\n`;
const PRINT = { modifiers: [], key: 'PrintScreen' } as const;

it('what the registry says is read', () => {
  expect(parseSnipping(saying('0x1'))).toBe(true);
  expect(parseSnipping(saying('0x0'))).toBe(false);
  expect(parseSnipping('ERROR: The system was unable to find the specified registry key or value.')).toBeNull();
  expect(parseSnipping(null)).toBeNull();
});

it.each([
  [saying('0x1'), 'asked', true],
  [saying('0x1'), 'refused', true],
  [saying('0x0'), 'asked', false],
  [saying('0x0'), 'refused', false],
  [null, 'asked', false],
  [null, 'refused', true],
] as const)('%o and %s by the system: the Snipping Tool has it: %s', async (registry, outcome, isTaken) => {
  const asked: (readonly string[])[] = [];
  const find = createFindConflict({
    platform: 'win32',
    run: async (program, args) => {
      asked.push([program, ...args]);
      return registry;
    },
  });
  const conflict = await find(PRINT, outcome);
  expect(asked).toEqual([
    ['reg.exe', 'query', 'HKCU\\Control Panel\\Keyboard', '/v', 'PrintScreenKeyForSnippingEnabled'],
  ]);
  if (!isTaken) expect(conflict).toBeNull();
  else {
    expect(conflict).toMatchObject({
      code: 'HOTKEY_TAKEN',
      params: { by: 'snipping-tool', offer: 'Control+PrintScreen' },
    });
    expect(conflict?.detail).toContain('Use Control+PrintScreen, or turn off');
  }
});

it('other keys and other systems are not asked about', async () => {
  const run = () => Promise.reject(new Error('asked'));
  expect(await createFindConflict({ platform: 'linux', run })(PRINT, 'refused')).toBeNull();
  const windows = createFindConflict({ platform: 'win32', run });
  expect(await windows({ modifiers: ['Control'], key: 'PrintScreen' }, 'refused')).toBeNull();
});
