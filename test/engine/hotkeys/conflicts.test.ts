/** The registry of Windows shows whether the Snipping Tool uses the Print Screen key. */
import { expect, it } from 'vitest';
import { createFindConflict } from '../../../src/engine/hotkeys/snipping-tool.ts';

const PRINT = { modifiers: [], key: 'PrintScreen' } as const;

it.each([
  [true, 'asked', true],
  [true, 'refused', true],
  [false, 'asked', false],
  [false, 'refused', false],
  [null, 'asked', false],
  [null, 'refused', true],
] as const)(
  'a value of %o and a hotkey that is %s: the Snipping Tool uses the key: %s',
  async (value, outcome, isTaken) => {
    const conflict = await createFindConflict({ usesPrintScreen: async () => value })(PRINT, outcome);
    if (!isTaken) expect(conflict).toBeNull();
    else {
      expect(conflict).toMatchObject({
        code: 'HOTKEY_TAKEN',
        params: { by: 'snipping-tool', offer: 'Control+PrintScreen' },
      });
      expect(conflict?.detail).toContain('Use Control+PrintScreen, or turn off');
    }
  },
);

it('does not query the registry for other keys, nor on other systems', async () => {
  const usesPrintScreen = () => Promise.reject(new Error('queried'));
  expect(await createFindConflict(null)(PRINT, 'refused')).toBeNull();
  const windows = createFindConflict({ usesPrintScreen });
  expect(await windows({ modifiers: ['Control'], key: 'PrintScreen' }, 'refused')).toBeNull();
});
