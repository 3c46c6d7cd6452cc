/** Which screen is shown and of what, the place that it belongs to, and where the keyboard should land on it. */

import { createStore } from 'zustand/vanilla';
import type { ItemId, SourceToken } from '../../api/ids.ts';

/** What the person goes to by the sidebar. */
export const MAIN_SECTIONS = ['home', 'library', 'settings'] as const;
export type MainSection = (typeof MAIN_SECTIONS)[number];
/** Screens that need nothing named; a recording that waits for the person is shown by itself. */
export const PLAIN_SCREENS = [...MAIN_SECTIONS, 'review'] as const;
type PlainScreen = (typeof PLAIN_SCREENS)[number];

/** What is shown. A note without an id is a new one; a folder is one that was handed over and not shared yet. */
export type Shown =
  | { readonly screen: PlainScreen }
  | { readonly screen: 'item'; readonly id: ItemId }
  | { readonly screen: 'note'; readonly id: ItemId | null }
  | { readonly screen: 'folder'; readonly token: SourceToken };
export type Screen = Shown['screen'];

/** Parts of the settings, in their order. */
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
type Landing = 'search' | 'connect' | Section;

interface ViewState {
  readonly shown: Shown;
  /** The last place that was shown: where Back leads, and what the sidebar marks. */
  readonly place: MainSection;
  /** Taken by the part it names as soon as that part is there. */
  readonly landing: Landing | null;
}

const isPlace = (screen: Screen): screen is MainSection => (MAIN_SECTIONS as readonly Screen[]).includes(screen);

export const createRouterStore = () => {
  const store = createStore<ViewState>(() => ({ shown: { screen: 'home' }, place: 'home', landing: null }));
  const open = (shown: Shown, landing: Landing | null = null): void =>
    store.setState(({ place }) => ({ shown, place: isPlace(shown.screen) ? shown.screen : place, landing }));
  return {
    store,
    open,
    show: (screen: PlainScreen): void => open({ screen }),
    /** Back to the place that led here. */
    back: (): void => open({ screen: store.getState().place }),
    /** Shows the library with the keyboard in its search field. */
    search: (): void => open({ screen: 'library' }, 'search'),
    /** Shows the settings with the keyboard in the connect form. */
    connect: (): void => open({ screen: 'settings' }, 'connect'),
    /** Shows the settings at one of their sections. */
    section: (landing: Section): void => open({ screen: 'settings' }, landing),
    landed: (): void => store.setState({ landing: null }),
  };
};

export type RouterStore = ReturnType<typeof createRouterStore>;
