/**
 * Hook that tests a hotkey: the user presses it, and the engine reports whether it was detected. Registration alone
 * does not prove that it works.
 */

import { useState } from 'react';
import type { HotkeyAction } from '../../../../ipc/protocol/hotkeys.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores, useNow } from '../../../stores/use-app-stores.tsx';
import { useWorkingKeys } from '../../../stores/use-working-keys.ts';

/** Seconds the engine waits for the press. */
const TEST_SECONDS = 10;
const SECOND_MS = 1_000;

export const useHotkeyTest = (action: HotkeyAction) => {
  const { engine, now } = useAppStores();
  const { t, failure: describe } = useLocale();
  const words = t.hotkeys;
  const keys = useWorkingKeys(action)?.join(' + ') ?? '';
  const [until, setUntil] = useState<number | null>(null);
  const [answer, setAnswer] = useState<{ readonly tone: 'good' | 'bad'; readonly text: string } | null>(null);
  const time = useNow(until === null ? null : SECOND_MS);

  const test = async () => {
    setAnswer(null);
    setUntil(now() + TEST_SECONDS * SECOND_MS);
    const asked = await engine.ask('hotkeys.test', { action });
    setUntil(null);
    if (!asked.ok) setAnswer({ tone: 'bad', text: `${describe(asked.error).title}. ${describe(asked.error).advice}` });
    else if (asked.value.heard) setAnswer({ tone: 'good', text: words.testHeard });
    else setAnswer({ tone: 'bad', text: words.testUnheard });
  };

  const result =
    until === null
      ? answer
      : { tone: 'plain' as const, text: words.testing(keys, Math.max(1, Math.ceil((until - time) / SECOND_MS))) };
  return { result, isRunning: until !== null, run: () => void test() };
};
