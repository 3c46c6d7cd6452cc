/** Navigation of the settings sections with the settings search; beside the settings where there is space. */

import { useEffect, useRef } from 'react';
import { SearchField } from '../../components/fields/search-field.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { Section } from '../../stores/router-store.ts';
import styles from './settings-nav.module.css';
import { nameOf, type SettingId, sectionOf } from './settings-search-index.ts';

interface SettingsNavProps {
  readonly sections: readonly Section[];
  readonly current: Section;
  readonly typed: string;
  /** Search results; null: empty query. */
  readonly found: readonly SettingId[] | null;
  readonly onType: (typed: string) => void;
  readonly onSection: (name: Section) => void;
  readonly onSetting: (id: SettingId) => void;
}

export const SettingsNav = ({ sections, current, typed, found, onType, onSection, onSetting }: SettingsNavProps) => {
  const { t } = useLocale();
  const words = t.settingsMore.find;
  const nav = useRef<HTMLElement>(null);
  const isSearching = found !== null;
  // In narrow windows the bar scrolls; the current section is centred.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each section, and when the sections reappear
  useEffect(() => {
    const bar = nav.current;
    const entry = bar?.querySelector<HTMLElement>('[aria-current]');
    if (bar && entry)
      bar.scrollTo({ left: entry.offsetLeft - bar.offsetLeft - (bar.clientWidth - entry.offsetWidth) / 2 });
  }, [current, isSearching]);
  return (
    <div className={styles.side}>
      <SearchField
        label={words.label}
        placeholder={words.hint}
        value={typed}
        onChange={onType}
        onSubmit={() => {
          const [first] = found ?? [];
          if (first) onSetting(first);
        }}
      />
      <VisuallyHidden live>{found === null ? '' : words.found(found.length)}</VisuallyHidden>
      {found === null ? (
        <nav ref={nav} className={styles.nav} aria-label={t.captureSettings.sections}>
          {sections.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.entry}
              {...(name === current && { 'aria-current': 'true' })}
              onClick={() => onSection(name)}
            >
              {t.settingsMore.section[name]}
            </button>
          ))}
        </nav>
      ) : (
        <div className={styles.nav}>
          {found.map((id) => (
            <button key={id} type="button" className={styles.entry} onClick={() => onSetting(id)}>
              {nameOf(id, t)}
              <span className={styles.where}>{t.settingsMore.section[sectionOf(id)]}</span>
            </button>
          ))}
          {found.length === 0 && (
            <>
              <p className={styles.none}>{words.none}</p>
              <button type="button" className={cx(styles.entry, styles.all)} onClick={() => onType('')}>
                {words.all}
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
};
