/** Detects other programs that use a hotkey, where the system reports it, and suggests a solution. */

import { type Failure, failure } from '../../api/errors.ts';
import { type Accelerator, formatAccelerator } from './accelerator.ts';
import type { SnippingTool } from './snipping-tool.ts';

/** Null: no conflict known. `outcome`: the system's answer to the registration. */
export type FindConflict = (accelerator: Accelerator, outcome: 'asked' | 'refused') => Promise<Failure | null>;

/** Of Electron's keys; the Snipping Tool uses it without modifiers. */
const PRINT_SCREEN = 'PrintScreen';
const INSTEAD = 'Control+PrintScreen';

/** `snippingTool` null: not on Windows. */
export const createFindConflict =
  (snippingTool: Pick<SnippingTool, 'usesPrintScreen'> | null): FindConflict =>
  async (accelerator, outcome) => {
    if (snippingTool === null || formatAccelerator(accelerator) !== PRINT_SCREEN) return null;
    const isOn = await snippingTool.usesPrintScreen();
    // Newer versions of Windows open it also where the value is missing.
    if (isOn === false || (isOn === null && outcome === 'asked')) return null;
    return failure(
      'HOTKEY_TAKEN',
      `Windows opens its Snipping Tool with the Print Screen key. Use ${INSTEAD}, or turn off "Use the Print screen key to open screen capture" in Settings, Accessibility, Keyboard, and try again.`,
      { params: { hotkey: PRINT_SCREEN, by: 'snipping-tool', offer: INSTEAD } },
    );
  };
