/** The frozen screen: shown while the person chooses, in the page of a browser or in a window for each display. */

import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import { createActiveDisplay } from './active-display.ts';
import { FrozenScreen } from './frozen-screen.tsx';
import { createFrames, type Frames } from './picture/frames.ts';
import { firstDisplay, type SelectionDeps } from './selection/selection-controller.ts';

/** `all`: this page shows every display, one at a time; else the number of the one that it covers. */
type Shown = 'all' | number;

/** The windows of the displays tell each other through it. */
const CHANNEL = 'linkshot:overlay';

export const Overlay = ({ shows }: { readonly shows: Shown }) => {
  const { addresses, engine } = useAppStores();
  const session = useApp(({ capture }) => (capture?.state === 'choosing' ? capture : null));
  const [frames] = useState(() =>
    createFrames({ addresses, engine, first: (begun) => (shows === 'all' ? firstDisplay(begun) : shows) }),
  );
  useEffect(() => frames.open(), [frames]);
  return session && <Choice key={session.id} session={session} frames={frames} shows={shows} />;
};

/** Gives the focus back to what had it before. */
const useFocusBack = (): void => {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      // The page below can be reached again once this change is in it.
      queueMicrotask(() => before instanceof HTMLElement && before.focus());
    };
  }, []);
};

interface ChoiceProps {
  readonly session: SelectionDeps;
  readonly frames: Frames;
  readonly shows: Shown;
}

const Choice = ({ session, frames, shows }: ChoiceProps) => {
  useFocusBack();
  const [attention] = useState(() =>
    createActiveDisplay({
      session: session.id,
      first: firstDisplay(session),
      channel: () => (shows === 'all' ? null : new BroadcastChannel(CHANNEL)),
    }),
  );
  useEffect(() => attention.open(), [attention]);
  const active = useStore(attention.store, ({ display }) => display);
  const number = shows === 'all' ? active : shows;
  const display = session.displays.find((known) => known.number === number);
  return (
    display && (
      <FrozenScreen
        key={number}
        session={session}
        display={display}
        frames={frames}
        attention={attention}
        shows={shows}
      />
    )
  );
};
