/**
 * Handles the conflict between hotkeys and the Windows Snipping Tool, which may use the Print Screen key.
 * `SnippingTool` reads the Windows setting for that key, turns it off, and restores it. `createFindConflict` returns
 * the error HOTKEY_TAKEN for a hotkey that the Snipping Tool uses.
 */

import Type, { type Static } from 'typebox';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { Nullable } from '../../api/nullable-and-literals.ts';
import { createRegistry, type Registry, runRegIn } from '../../base/node/windows-registry.ts';
import { failureOfThrown } from '../../common/disk-full.ts';
import type { Profile } from '../profile/database.ts';
import { createPersistedValue, type PersistedValue } from '../profile/persisted-value.ts';
import { type Accelerator, formatAccelerator } from './accelerator.ts';

/** What Windows had before Linkshot changed it; `value` null: nothing, so that its default applied. */
const Replaced = Type.Object({ value: Nullable(Type.Integer({ minimum: 0 })) });

export interface SnippingTool {
  /** Null: Windows has no such value, and its default applies. */
  usesPrintScreen(): Promise<boolean | null>;
  /** Whether this profile has turned it off. */
  isReplaced(): boolean;
  /** Leaves the key to Linkshot. Only with the user's consent. Errors: APP_FAILED, DISK_FULL. */
  replace(): Promise<Result<void>>;
  /** Restores the earlier value, unless it was changed since. Errors: APP_FAILED, DISK_FULL. */
  restore(): Promise<Result<void>>;
}

export interface SnippingToolDeps {
  readonly registry: Registry;
  readonly persisted: Pick<PersistedValue<Static<typeof Replaced>>, 'read' | 'write' | 'clear'>;
}

export const KEY = 'HKCU\\Control Panel\\Keyboard';
export const NAME = 'PrintScreenKeyForSnippingEnabled';
/**
 * A copy of what Windows had, for the uninstaller, which reads no profile, and for other profiles: the same value, if
 * there was one, below a key that exists in any case.
 */
export const EARLIER_KEY = 'HKCU\\Software\\Linkshot\\SnippingTool';

const changed = async (work: () => Promise<void>): Promise<Result<void>> => {
  try {
    return ok(await work());
  } catch (error) {
    return err(
      failureOfThrown(error, `The setting of the Print Screen key was not changed: ${(error as Error).message}`),
    );
  }
};

export const createSnippingTool = ({ registry, persisted }: SnippingToolDeps): SnippingTool => {
  let replaced = persisted.read();
  const readEarlier = async (): Promise<Static<typeof Replaced> | null> =>
    (await registry.hasKey(EARLIER_KEY)) ? { value: await registry.readNumber(EARLIER_KEY, NAME) } : null;
  const writeEarlier = async ({ value }: Static<typeof Replaced>): Promise<void> => {
    await registry.removeKey(EARLIER_KEY);
    if (value !== null) await registry.write(EARLIER_KEY, NAME, value);
    await registry.write(EARLIER_KEY, null, 'before Linkshot');
  };
  return {
    async usesPrintScreen() {
      const value = await registry.readNumber(KEY, NAME);
      return value === null ? null : value !== 0;
    },
    isReplaced: () => replaced !== null,
    replace: () =>
      changed(async () => {
        const value = await registry.readNumber(KEY, NAME);
        // Of another profile: its 0 is not taken for the user's.
        const known = value === 0 ? await readEarlier() : null;
        const earlier = known ?? (value === 0 ? replaced : null) ?? { value };
        // First: a crash between the writes must not lose the earlier value.
        persisted.write(earlier);
        replaced = earlier;
        if (known === null) await writeEarlier(earlier);
        await registry.write(KEY, NAME, 0);
      }),
    restore: () =>
      changed(async () => {
        if (replaced === null) return;
        if ((await registry.readNumber(KEY, NAME)) === 0) {
          if (replaced.value === null) await registry.removeValue(KEY, NAME);
          else await registry.write(KEY, NAME, replaced.value);
        }
        await registry.removeKey(EARLIER_KEY);
        persisted.clear();
        replaced = null;
      }),
  };
};

/** Null: not on Windows. */
export const openSnippingTool = (
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
  profile: Profile,
): SnippingTool | null =>
  platform === 'win32'
    ? createSnippingTool({
        registry: createRegistry(runRegIn(environment)),
        persisted: createPersistedValue(profile, 'snippingTool', Replaced),
      })
    : null;

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
