/** Syncs the current route with the address hash, so that reload, back and forward work. */

import type { ItemId, SourceToken } from '../../api/ids.ts';
import { PLAIN_SCREENS, type RouterStore, type Shown } from '../stores/router-store.ts';

/** `#library`, `#item/ID`; a new note is `#note`. */
export const addressOf = (shown: Shown): string => {
  switch (shown.screen) {
    case 'item':
      return `#item/${shown.id}`;
    case 'note':
      return shown.id === null ? '#note' : `#note/${shown.id}`;
    case 'folder':
      return `#folder/${shown.token}`;
    default:
      return `#${shown.screen}`;
  }
};

/** An empty hash is the home screen, which needs no history entry of its own. */
const routeAt = (hash: string): Shown | undefined => {
  if (hash === '') return { screen: 'home' };
  const [name, subject = ''] = hash.slice(1).split('/', 2);
  if (name === 'note') return { screen: 'note', id: subject === '' ? null : (subject as ItemId) };
  if (name === 'item' && subject !== '') return { screen: 'item', id: subject as ItemId };
  if (name === 'folder' && subject !== '') return { screen: 'folder', token: subject as SourceToken };
  const screen = PLAIN_SCREENS.find((plain) => plain === name);
  return screen && { screen };
};

const isSame = (one: Shown, other: Shown | undefined): boolean =>
  other !== undefined && addressOf(one) === addressOf(other);

/** Shows the screen that the address names and keeps both in sync for the life of the page. */
export const syncWithAddress = ({ store, open }: RouterStore, { location, addEventListener }: Window): void => {
  const follow = (): void => {
    const named = routeAt(location.hash);
    if (named && !isSame(named, store.getState().shown)) open(named);
  };
  follow();
  addEventListener('hashchange', follow);
  store.subscribe(({ shown }, before) => {
    if (shown !== before.shown && !isSame(shown, routeAt(location.hash))) location.hash = addressOf(shown);
  });
};
