/** Taking the Print Screen key from the Snipping Tool and giving it back: on Windows in its own registry. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Registry } from '../../../src/base/node/windows-registry.ts';
import { createSnippingTool, EARLIER_KEY } from '../../../src/engine/hotkeys/snipping-tool.ts';
import { someRegistry } from '../../support/registry.ts';

const KEY = 'HKCU\\Control Panel\\Keyboard';
const NAME = 'PrintScreenKeyForSnippingEnabled';

type Stored = { readonly value: number | null } | null;

/** A profile that outlives the tool. */
const profile = () => {
  let stored: Stored = null;
  return {
    read: () => stored,
    write: (value: NonNullable<Stored>) => {
      stored = value;
    },
    clear: () => {
      stored = null;
    },
  };
};

describe('the Snipping Tool', () => {
  const registry = someRegistry();
  const value = () => registry.readNumber(KEY, NAME);
  let before: number | null = null;
  const set = (wanted: number | null) =>
    wanted === null ? registry.removeValue(KEY, NAME) : registry.write(KEY, NAME, wanted);

  beforeEach(async () => {
    before = await value();
  });
  afterEach(async () => {
    await set(before);
    await registry.removeKey(EARLIER_KEY);
  });

  it.each([null, 0, 1])('leaves the key to Linkshot, and gets it back as it was before: %o', async (earlier) => {
    await set(earlier);
    const persisted = profile();
    const tool = createSnippingTool({ registry, persisted });
    expect(await tool.usesPrintScreen()).toBe(earlier === null ? null : earlier === 1);
    expect(tool.isReplaced()).toBe(false);

    expect(await tool.replace()).toMatchObject({ ok: true });
    expect(await value()).toBe(0);
    expect(await tool.usesPrintScreen()).toBe(false);
    // Twice: the value of Linkshot is not taken for the user's.
    expect(await tool.replace()).toMatchObject({ ok: true });

    const afterRestart = createSnippingTool({ registry, persisted });
    expect(afterRestart.isReplaced()).toBe(true);
    expect(await afterRestart.restore()).toMatchObject({ ok: true });
    expect(await value()).toBe(earlier);
    expect(afterRestart.isReplaced()).toBe(false);
    expect(persisted.read()).toBeNull();
  });

  it.each([null, 0, 1])('leaves the earlier value to the uninstaller until it is given back: %o', async (earlier) => {
    await set(earlier);
    const tool = createSnippingTool({ registry, persisted: profile() });
    for (const _ of ['first', 'again']) {
      await tool.replace();
      expect(await registry.hasKey(EARLIER_KEY)).toBe(true);
      expect(await registry.readNumber(EARLIER_KEY, NAME)).toBe(earlier);
    }
    await tool.restore();
    expect(await registry.hasKey(EARLIER_KEY)).toBe(false);
  });

  it.each([null, 1])('gets the user’s value back, whichever of two profiles gives it back: %o', async (earlier) => {
    await set(earlier);
    const [first, second] = [profile(), profile()].map((persisted) => createSnippingTool({ registry, persisted }));
    await first?.replace();
    await second?.replace();
    await second?.restore();
    expect(await value()).toBe(earlier);
    await first?.restore();
    expect(await value()).toBe(earlier);
  });

  it('keeps what the user has set in Windows since', async () => {
    await set(null);
    const tool = createSnippingTool({ registry, persisted: profile() });
    await tool.replace();
    await set(1);
    await tool.restore();
    expect(await value()).toBe(1);
  });

  it('is replaced again after the user turned it on in Windows, and gets that value back', async () => {
    await set(null);
    const tool = createSnippingTool({ registry, persisted: profile() });
    await tool.replace();
    await set(1);
    await tool.replace();
    expect(await value()).toBe(0);
    await tool.restore();
    expect(await value()).toBe(1);
  });

  it('is never changed by a tool that did not replace it', async () => {
    await set(0);
    expect(await createSnippingTool({ registry, persisted: profile() }).restore()).toMatchObject({ ok: true });
    expect(await value()).toBe(0);
  });

  it('returns an error where Windows refuses, and keeps the earlier value', async () => {
    await set(1);
    const refusing: Registry = { ...registry, write: () => Promise.reject(new Error('Access is denied.')) };
    const persisted = profile();
    const refused = await createSnippingTool({ registry: refusing, persisted }).replace();
    expect(refused).toMatchObject({ ok: false, error: { code: 'APP_FAILED' } });
    expect(persisted.read()).toEqual({ value: 1 });
  });
});
