/**
 * Shows the screenshots of the displays during a region selection: one at a time in the browser page, or each in its
 * own window.
 */

import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { focusedElement } from '../keyboard/focused-element.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import { createActiveDisplay } from './active-display.ts';
import { FrozenDisplay } from './frozen-display.tsx';
import { createScreenshots, type Screenshots } from './picture/load-screenshots.ts';
import { type ChoosingSession, firstDisplay } from './selection/selection-controller.ts';

/** `all`: this page shows every display, one at a time; otherwise the number of the display it covers. */
type Shown = 'all' | number;

/** Name of the channel between the overlay windows. */
const CHANNEL = 'linkshot:overlay';

export const Overlay = ({ shows }: { readonly shows: Shown }) => {
  const { addresses, engine } = useAppStores();
  const session = useApp(({ capture }) => (capture?.state === 'choosing' ? capture : null));
  const [screenshots] = useState(() =>
    createScreenshots({ addresses, engine, first: (begun) => (shows === 'all' ? firstDisplay(begun) : shows) }),
  );
  useEffect(() => screenshots.open(), [screenshots]);
  return session && <Choice key={session.id} session={session} screenshots={screenshots} shows={shows} />;
};

/** Restores focus on unmount. */
const useFocusBack = (): void => {
  useLayoutEffect(() => {
    const before = focusedElement(document);
    return () => {
      // The page below stays inert until this change is rendered.
      queueMicrotask(() => before?.focus());
    };
  }, []);
};

interface ChoiceProps {
  readonly session: ChoosingSession;
  readonly screenshots: Screenshots;
  readonly shows: Shown;
}

const Choice = ({ session, screenshots, shows }: ChoiceProps) => {
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
      <FrozenDisplay
        key={number}
        session={session}
        display={display}
        screenshots={screenshots}
        attention={attention}
        shows={shows}
      />
    )
  );
};
