/**
 * Hooks with the progress of the first steps for new users, and with whether to show the welcome screen. A step
 * completes when its event happens. Completed and skipped steps are persisted.
 */

import { useEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import { FIRST_STEPS, type FirstStep, type Settings } from '../../../ipc/protocol/settings.ts';
import { useApp, useAppStores, useHostConnection, usePendingFiles } from '../../stores/use-app-stores.tsx';

export interface Step {
  readonly id: FirstStep;
  readonly state: 'open' | 'done' | 'skipped';
}

type OnboardingState = Pick<AppState, 'connection' | 'hotkeys' | 'queue'>;

const HAS_HAPPENED: Readonly<Record<FirstStep, (facts: OnboardingState) => boolean>> = {
  connect: ({ connection }) => connection.state === 'connected',
  hotkey: ({ hotkeys }) => hotkeys.keys.some(({ pressedAt }) => pressedAt !== null),
  link: ({ queue }) => queue.items.some(({ state }) => state === 'linked'),
};

/** The hotkey step needs a host with global hotkeys. */
const isOffered = (id: FirstStep, { capabilities }: Pick<AppState, 'capabilities'>): boolean =>
  id !== 'hotkey' || (capabilities.hotkey && capabilities.overlay !== 'none');

type States = Partial<Record<FirstStep, Step['state']>>;

/** Flat, so that an unchanged result does not render again. */
const statesOf = (app: AppState): States => {
  const { done, skipped } = app.settings.firstSteps;
  const stateOf = (id: FirstStep): Step['state'] => {
    if (done.includes(id) || HAS_HAPPENED[id](app)) return 'done';
    return skipped.includes(id) ? 'skipped' : 'open';
  };
  return Object.fromEntries(FIRST_STEPS.filter((id) => isOffered(id, app)).map((id) => [id, stateOf(id)]));
};

const stepsOf = (states: States): readonly Step[] =>
  FIRST_STEPS.flatMap((id) => {
    const state = states[id];
    return state === undefined ? [] : [{ id, state }];
  });

/** Steps that this host does not offer keep what was stored by another one. */
const settingOf = (steps: readonly Step[], kept: Settings['firstSteps']): Settings['firstSteps'] => {
  const those = (state: 'done' | 'skipped') =>
    FIRST_STEPS.filter((id) => {
      const step = steps.find((offered) => offered.id === id);
      return step ? step.state === state : kept[state].includes(id);
    });
  const isOver = steps.every(({ state }) => state !== 'open');
  return { state: isOver ? 'over' : 'open', done: those('done'), skipped: those('skipped') };
};

export const useFirstSteps = () => {
  const { engine } = useAppStores();
  const kept = useApp(({ settings }) => settings.firstSteps);
  const steps = stepsOf(useApp(useShallow(statesOf)));
  const reached = settingOf(steps, kept);
  const hasNewSteps = kept.state === 'open' && JSON.stringify(reached) !== JSON.stringify(kept);
  // Stays visible after the last step until the user leaves.
  const [isWatched, setWatched] = useState(kept.state === 'open');

  useEffect(() => {
    if (kept.state === 'open') setWatched(true);
  }, [kept.state]);
  // A refusal reverts the setting, and must not be followed by the same request at once.
  const asked = useRef<string | null>(null);
  const isReachable = useHostConnection() === 'up';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new step, and once more for a host that is back
  useEffect(() => {
    const wanted = isReachable && hasNewSteps ? JSON.stringify(reached) : null;
    if (!isReachable) asked.current = null;
    if (wanted === null || wanted === asked.current) return;
    asked.current = wanted;
    void engine.updateSettings({ firstSteps: reached });
  }, [engine, hasNewSteps, isReachable, JSON.stringify(reached)]);

  const change = (id: FirstStep, state: Step['state']): void =>
    void engine.updateSettings({
      firstSteps: settingOf(
        steps.map((step) => (step.id === id ? { id, state } : step)),
        kept,
      ),
    });
  return {
    isShown: kept.state === 'open' || isWatched,
    steps,
    finish: (id: FirstStep): void => change(id, 'done'),
    skip: (id: FirstStep): void => change(id, 'skipped'),
    /** Hidden steps do not reappear by themselves. */
    hide: (): void => {
      setWatched(false);
      void engine.updateSettings({ firstSteps: { ...reached, state: 'over' } });
    },
  };
};

export type FirstSteps = ReturnType<typeof useFirstSteps>;

/** Whether the card offers this step now. */
export const useIsOpenStep = (id: FirstStep): boolean =>
  useApp((app) => app.settings.firstSteps.state === 'open' && statesOf(app)[id] === 'open');

/** Whether to show the welcome screen: no account yet, and nothing waiting for one. */
export const useIsWelcoming = (): boolean => {
  const pendingFiles = usePendingFiles();
  const isNew = useApp(
    ({ connection, accounts, queue, settings: { firstSteps } }) =>
      connection.state === 'none' &&
      accounts.length === 0 &&
      queue.items.length === 0 &&
      firstSteps.state === 'open' &&
      !firstSteps.skipped.includes('connect'),
  );
  return isNew && pendingFiles.length === 0;
};
