/** Keeps the screen in the address after `#`, so that reload, back and forward work as in any page. */

import { useEffect } from 'react';
import { usePage, useScreen } from '../stores/use-page.tsx';
import { SCREENS, type Screen } from '../stores/view.ts';

export const addressOf = (screen: Screen): string => `#${screen}`;

const screenIn = (hash: string): Screen | undefined => SCREENS.find((screen) => addressOf(screen) === hash);

export const useAddress = (): void => {
  const { view } = usePage();
  const screen = useScreen();

  useEffect(() => {
    const follow = () => {
      const named = screenIn(location.hash);
      if (named && named !== view.store.getState().screen) view.show(named);
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [view]);

  useEffect(() => {
    // The first screen needs no entry of its own in the history.
    if (screenIn(location.hash) === screen || (location.hash === '' && screen === 'home')) return;
    location.hash = addressOf(screen);
  }, [screen]);
};
