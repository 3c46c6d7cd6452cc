/** Shows progress in the tab icon, for tabs too narrow for a title. */

import { useEffect, useRef } from 'react';
import { needsUser } from '../stores/queue/item-view.ts';
import { useApp, useProgress } from '../stores/use-app-stores.tsx';
import { tabIconUrl } from './tab-icon.ts';

/** Finer than a tab can show, but few enough redraws for the browser. */
const STEPS = 50;
/** Steps with reduced motion. */
const CALM_STEPS = 4;

const useIsCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const useTabIcon = (): void => {
  const progress = useProgress();
  const isStuck = useApp(({ queue }) => queue.items.some(needsUser));
  const steps = useIsCalm() ? CALM_STEPS : STEPS;
  const part = progress && Math.floor(progress.fraction * steps) / steps;
  const address = part !== null ? tabIconUrl({ shows: 'part', part }) : isStuck ? tabIconUrl({ shows: 'mark' }) : null;
  const link = useRef<{ readonly element: HTMLLinkElement; readonly plain: string }>(null);

  useEffect(() => {
    const element = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (element === null) return;
    const plain = element.href;
    link.current = { element, plain };
    return () => {
      element.href = plain;
    };
  }, []);
  useEffect(() => {
    if (link.current) link.current.element.href = address ?? link.current.plain;
  }, [address]);
};
