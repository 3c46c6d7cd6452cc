/** Router: the current screen, the main section it belongs to, and where focus should move on it. */

import { createStore } from 'zustand/vanilla';
import type { ItemId, SourceToken } from '../../api/ids.ts';

/** Sections in the sidebar. */
export const MAIN_SECTIONS = ['home', 'library', 'settings'] as const;
export type MainSection = (typeof MAIN_SECTIONS)[number];
/** Screens without parameters; `review` opens when a recording becomes pending. */
export const PLAIN_SCREENS = [...MAIN_SECTIONS, 'review'] as const;
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

const isMainSection = (screen: Screen): screen is MainSection => (MAIN_SECTIONS as readonly Screen[]).includes(screen);

export const createRouterStore = () => {
  const store = createStore<ViewState>(() => ({ shown: { screen: 'home' }, mainSection: 'home', focusTarget: null }));
  const open = (shown: Shown, focusTarget: FocusTarget | null = null): void =>
    store.setState(({ mainSection }) => ({
      shown,
      mainSection: isMainSection(shown.screen) ? shown.screen : mainSection,
      focusTarget,
    }));
  return {
    store,
    open,
    show: (screen: PlainScreen): void => open({ screen }),
    /** Goes back to the section that led here. */
    back: (): void => open({ screen: store.getState().mainSection }),
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
