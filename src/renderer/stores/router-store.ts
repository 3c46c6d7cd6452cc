/** The router of the window: which screen is shown, and the address hash that reload, back and forward use. */
import { createStore } from 'zustand/vanilla';
import type { ItemId, SourceToken } from '../../api/ids.ts';

/** Sections in the sidebar. */
export const MAIN_SECTIONS = ['home', 'library', 'settings'] as const;
type MainSection = (typeof MAIN_SECTIONS)[number];
/** Screens without parameters; `review` opens when a recording becomes pending. */
const PLAIN_SCREENS = [...MAIN_SECTIONS, 'review'] as const;
type PlainScreen = (typeof PLAIN_SCREENS)[number];

/** The current route. A note without an id is a new one; a folder has not been shared yet. */
export type Shown =
  | { readonly screen: PlainScreen }
  | { readonly screen: 'item'; readonly id: ItemId }
  | { readonly screen: 'note'; readonly id: ItemId | null }
  | { readonly screen: 'folder'; readonly token: SourceToken };
export type Screen = Shown['screen'];

/** Sections of the settings, in order. */
export const SECTIONS = [
  'general',
  'account',
  'upload',
  'presets',
  'video',
  'capture',
  'recording',
  'hotkeys',
  'privacy',
  'storage',
  'advanced',
  'about',
] as const;
export type Section = (typeof SECTIONS)[number];
type FocusTarget = 'search' | 'connect' | Section;

interface ViewState {
  readonly shown: Shown;
  /** The last main section: the target of Back, marked in the sidebar. */
  readonly mainSection: MainSection;
  /** Cleared by the target once it is mounted. */
  readonly focusTarget: FocusTarget | null;
}

export interface Navigation {
  open(shown: Shown): void;
  show(screen: PlainScreen): void;
  /** Goes back to the section that led here. */
  back(): void;
}

const isMainSection = (screen: Screen): screen is MainSection => (MAIN_SECTIONS as readonly Screen[]).includes(screen);

export const createRouterStore = () => {
  const store = createStore<ViewState>(() => ({ shown: { screen: 'home' }, mainSection: 'home', focusTarget: null }));
  const open = (shown: Shown, focusTarget: FocusTarget | null = null): void =>
    store.setState(({ mainSection }) => ({
      shown,
      mainSection: isMainSection(shown.screen) ? shown.screen : mainSection,
      focusTarget,
    }));
  const navigation = (go: (shown: Shown) => void): Navigation => ({
    open: go,
    show: (screen: PlainScreen): void => go({ screen }),
    back: (): void => go({ screen: store.getState().mainSection }),
  });
  return {
    store,
    ...navigation(open),
    /**
     * For what is asked now and answered later: navigates only until the user goes elsewhere. Everything that awaits
     * before it navigates asks for this first.
     */
    whileHere: (): Navigation => {
      const asked = store.getState().shown;
      return navigation((shown) => {
        if (store.getState().shown === asked) open(shown);
      });
    },
    /** Shows the library and focuses its search field. */
    search: (): void => open({ screen: 'library' }, 'search'),
    /** Shows the settings and focuses the connect form. */
    connect: (): void => open({ screen: 'settings' }, 'connect'),
    /** Shows a section of the settings. */
    section: (landing: Section): void => open({ screen: 'settings' }, landing),
    clearFocusTarget: (): void => store.setState({ focusTarget: null }),
  };
};

export type RouterStore = ReturnType<typeof createRouterStore>;

// Syncs the current route with the address hash, so that reload, back and forward work.

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
