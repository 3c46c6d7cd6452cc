/** Keeps the screen in the address after `#`, so that reload, back and forward work as in any page. */

import { SCREENS, type Screen, type View } from '../stores/view.ts';

export const addressOf = (screen: Screen): string => `#${screen}`;

/** The plain address is the first screen's, so it needs no second entry in the history. */
const screenIn = (hash: string): Screen | undefined =>
  hash === '' ? 'home' : SCREENS.find((screen) => addressOf(screen) === hash);

/** Shows the screen that the address names, and from then on each follows the other. For the life of the page. */
export const keepInAddress = ({ store, show }: View, { location, addEventListener }: Window): void => {
  const follow = (): void => {
    const named = screenIn(location.hash);
    if (named && named !== store.getState().screen) show(named);
  };
  follow();
  addEventListener('hashchange', follow);
  store.subscribe(({ screen }, before) => {
    if (screen !== before.screen && screen !== screenIn(location.hash)) location.hash = addressOf(screen);
  });
};
