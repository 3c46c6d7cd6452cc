/** The settings screen: the sections that this host supports, with a search over their settings. */

import { Fragment, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLocale } from '../../locales/locale.tsx';
import { SECTIONS, type Section } from '../../stores/router-store.ts';
import { useApp, useAppStores, useEveryLanguage, useFocusTarget } from '../../stores/use-app-stores.tsx';
import { AboutCard, LicencesCard, ShortcutsCard } from './about/about-cards.tsx';
import { AccountCard } from './account/account-card.tsx';
import { AdvancedCard } from './advanced-card.tsx';
import { AfterCaptureCard, CaptureSettingsCard } from './capture-cards.tsx';
import { DiskUsageProvider } from './disk-usage-context.tsx';
import { AppearanceCard, SystemCard } from './general/general-cards.tsx';
import { HotkeysCard } from './hotkeys/hotkeys-card.tsx';
import { PresetsCard } from './presets-card.tsx';
import { LocalDataCard, LocalHistoryCard, PicturesCard, SentDataCard, UploadCheckCard } from './privacy-cards.tsx';
import { RecordingCard } from './recording-card.tsx';
import { FoundContext } from './setting-row.tsx';
import { SettingsNav } from './settings-nav.tsx';
import styles from './settings-screen.module.css';
import { findSettings, type SettingId, sectionOf } from './settings-search-index.ts';
import { LocalStorageCard, ServerStorageCard } from './storage-cards.tsx';
import { LinkFormatCard, SharingCard } from './upload/upload-cards.tsx';
import { VideoCard } from './video-card.tsx';

const PARTS: Readonly<Record<Section, readonly (() => ReactNode)[]>> = {
  general: [AppearanceCard, SystemCard],
  account: [AccountCard],
  upload: [SharingCard, LinkFormatCard],
  presets: [PresetsCard],
  video: [VideoCard],
  capture: [CaptureSettingsCard, AfterCaptureCard],
  recording: [RecordingCard],
  hotkeys: [HotkeysCard],
  privacy: [SentDataCard, LocalDataCard, UploadCheckCard, PicturesCard, LocalHistoryCard],
  storage: [ServerStorageCard, LocalStorageCard],
  advanced: [AdvancedCard],
  about: [AboutCard, ShortcutsCard, LicencesCard],
};

/** Hidden where the screen cannot be captured. */
const OF_CAPTURES: ReadonlySet<Section> = new Set(['capture', 'recording', 'hotkeys']);

export const SettingsScreen = () => {
  const { t } = useLocale();
  const canCapture = useApp(({ capabilities }) => capabilities.overlay !== 'none');
  const sections = SECTIONS.filter((name) => canCapture || !OF_CAPTURES.has(name));
  const { current, refOf, lead } = useSections();
  const list = useRef<HTMLDivElement>(null);
  useSectionRequests(lead);

  const languages = useEveryLanguage();
  const [typed, setTyped] = useState('');
  // Settings this host does not support are not rendered.
  const [shown, setShown] = useState<readonly SettingId[] | null>(null);
  const found = useMemo(() => new Set(shown ?? []), [shown]);
  const find = (id: SettingId): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-setting="${id}"]`) ?? null;

  const search = (text: string): void => {
    setTyped(text);
    const hits = findSettings(text, languages).filter((id) => sections.includes(sectionOf(id)) && find(id) !== null);
    setShown(text.trim() === '' ? null : hits);
    if (hits[0]) find(hits[0])?.scrollIntoView({ block: 'nearest' });
  };
  const searchAgain = useEffectEvent(() => {
    if (typed !== '') search(typed);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly loaded language may match the query
  useEffect(() => searchAgain(), [languages]);
  const show = (id: SettingId): void => {
    const row = find(id);
    row?.scrollIntoView({ block: 'center' });
    const first = row?.querySelector<HTMLElement>('input, button, a[href], summary, [tabindex="0"]');
    (first ?? row?.closest<HTMLElement>('[tabindex="-1"]'))?.focus({ preventScroll: true });
  };

  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t.settings.title}</h1>
      <SettingsNav {...{ sections, current, typed, found: shown }} onType={search} onSection={lead} onSetting={show} />
      <DiskUsageProvider>
        <FoundContext value={found}>
          <div ref={list} className={styles.sections}>
            {sections.map((name) => (
              <div key={name} ref={refOf(name)} className={styles.section} tabIndex={-1}>
                {PARTS[name].map((Part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a section are identified by their position only
                  <Fragment key={index}>
                    <Part />
                  </Fragment>
                ))}
              </div>
            ))}
          </div>
        </FoundContext>
      </DiskUsageProvider>
    </div>
  );
};
/** Scrolls to the requested section. */
const useSectionRequests = (scrollTo: (name: Section) => void): void => {
  const { view } = useAppStores();
  const landing = useFocusTarget();
  const showSection = useEffectEvent((name: Section) => {
    scrollTo(name);
    view.clearFocusTarget();
  });
  useEffect(() => {
    const wanted = SECTIONS.find((name) => name === landing);
    if (wanted) showSection(wanted);
  }, [landing]);
};

/** Tracks which section is at the top of the view, and scrolls to others. */
const useSections = () => {
  const elements = useRef(new Map<Section, HTMLElement>());
  const [current, setCurrent] = useState<Section>('general');
  useEffect(() => {
    const seen = new Set<Section>();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const [name] = [...elements.current].find(([, element]) => element === target) ?? [];
          if (name !== undefined) seen[isIntersecting ? 'add' : 'delete'](name);
        }
        const first = SECTIONS.find((name) => seen.has(name));
        if (first) setCurrent(first);
      },
      { rootMargin: '-15% 0px -60% 0px' },
    );
    for (const element of elements.current.values()) watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return {
    current,
    refOf: (name: Section) => (element: HTMLElement | null) => {
      if (element) elements.current.set(name, element);
      else elements.current.delete(name);
    },
    lead: (name: Section) => {
      const element = elements.current.get(name);
      element?.scrollIntoView({ block: 'start' });
      element?.focus({ preventScroll: true });
    },
  };
};
