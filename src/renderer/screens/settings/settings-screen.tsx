/** What the person may decide, and what the account says about itself, in sections that one button each leads to. */

import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useLanding, usePage } from '../../stores/use-page.tsx';
import { SECTIONS, type Section } from '../../stores/view.ts';
import { AboutCard } from './about-card.tsx';
import { AccountCard } from './account-card.tsx';
import { AfterCaptureCard } from './after-capture-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { CaptureCard } from './capture-card.tsx';
import { HotkeysCard } from './hotkeys/hotkeys-card.tsx';
import { MediaCard } from './media-card.tsx';
import { RecordingCard } from './recording-card.tsx';
import styles from './settings-screen.module.css';
import { SharingCard } from './sharing-card.tsx';
import { StartCard } from './start-card.tsx';
import { StorageCard } from './storage-card.tsx';

const PARTS: Readonly<Record<Section, readonly (() => ReactNode)[]>> = {
  account: [AccountCard, StorageCard],
  sharing: [SharingCard, MediaCard],
  capture: [CaptureCard, AfterCaptureCard],
  recording: [RecordingCard],
  hotkeys: [HotkeysCard],
  app: [AppearanceCard, StartCard, AboutCard],
};

/** Where the screen cannot be captured, nothing is to be decided about it. */
const OF_CAPTURES: ReadonlySet<Section> = new Set(['capture', 'recording', 'hotkeys']);

export const SettingsScreen = () => {
  const { t } = useLocale();
  const canCapture = useApp(({ capabilities }) => capabilities.overlay !== 'none');
  const sections = SECTIONS.filter((name) => canCapture || !OF_CAPTURES.has(name));
  const { current, place, lead } = usePlaces();
  useLandings(lead);
  return (
    <div className={styles.screen}>
      <h1>{t.settings.title}</h1>
      <nav className={styles.nav} aria-label={t.captureSettings.sections}>
        {sections.map((name) => (
          <button
            key={name}
            type="button"
            className={cx(styles.entry, name === current && styles.current)}
            {...(name === current && { 'aria-current': 'true' })}
            onClick={() => lead(name)}
          >
            {t.captureSettings.section[name]}
          </button>
        ))}
      </nav>
      {sections.map((name) => (
        <div key={name} ref={place(name)} className={styles.section} tabIndex={-1}>
          {PARTS[name].map((Part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a section have no identity but their place
            <Fragment key={index}>
              <Part />
            </Fragment>
          ))}
        </div>
      ))}
    </div>
  );
};

/** Leads to the section that was asked for. */
const useLandings = (lead: (name: Section) => void): void => {
  const { view } = usePage();
  const landing = useLanding();
  const take = useEffectEvent((name: Section) => {
    lead(name);
    view.landed();
  });
  useEffect(() => {
    const wanted = SECTIONS.find((name) => name === landing);
    if (wanted) take(wanted);
  }, [landing]);
};

/** Which section is at the top of what is seen, and how to get to another. */
const usePlaces = () => {
  const places = useRef(new Map<Section, HTMLElement>());
  const [current, setCurrent] = useState<Section>('account');
  useEffect(() => {
    const seen = new Set<Section>();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const [name] = [...places.current].find(([, element]) => element === target) ?? [];
          if (name !== undefined) seen[isIntersecting ? 'add' : 'delete'](name);
        }
        const first = SECTIONS.find((name) => seen.has(name));
        if (first) setCurrent(first);
      },
      { rootMargin: '-15% 0px -60% 0px' },
    );
    for (const element of places.current.values()) watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return {
    current,
    place: (name: Section) => (element: HTMLElement | null) => {
      if (element) places.current.set(name, element);
      else places.current.delete(name);
    },
    lead: (name: Section) => {
      const element = places.current.get(name);
      element?.scrollIntoView({ block: 'start' });
      element?.focus({ preventScroll: true });
    },
  };
};
