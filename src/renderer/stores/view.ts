/** Which screen is shown, and where the keyboard should land on it. */

import { createStore } from 'zustand/vanilla';

/** What the person goes to; a recording that waits for them is shown by itself. */
export const PLACES = ['home', 'library', 'settings'] as const;
export const SCREENS = [...PLACES, 'review'] as const;
export type Screen = (typeof SCREENS)[number];
/** Parts of the settings, in their order. */
export const SECTIONS = ['account', 'sharing', 'capture', 'recording', 'hotkeys', 'app'] as const;
export type Section = (typeof SECTIONS)[number];
type Landing = 'search' | 'connect' | Section;

interface ViewState {
  readonly screen: Screen;
  /** Taken by the part it names as soon as that part is there. */
  readonly landing: Landing | null;
}

export const createView = () => {
  const store = createStore<ViewState>(() => ({ screen: 'home', landing: null }));
  return {
    store,
    show: (screen: Screen): void => store.setState({ screen, landing: null }),
    /** Shows the library with the keyboard in its search field. */
    search: (): void => store.setState({ screen: 'library', landing: 'search' }),
    /** Shows the settings with the keyboard in the connect form. */
    connect: (): void => store.setState({ screen: 'settings', landing: 'connect' }),
    /** Shows the settings at one of their sections. */
    section: (landing: Section): void => store.setState({ screen: 'settings', landing }),
    landed: (): void => store.setState({ landing: null }),
  };
};

export type View = ReturnType<typeof createView>;
