/** Controls for the filters, sort order and layout of the library, and the hook that resets search and filters. */

import { FunnelX, LayoutGrid, Rows3 } from 'lucide-react';
import { CONTENT_TYPES, VISIBILITIES } from '../../../api/content.ts';
import { IconButton } from '../../components/buttons/button.tsx';
import { Picker } from '../../components/fields/picker.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { DATE_RANGES, isNarrowed, SORTS, STATES } from '../../stores/published/library-store.ts';
import { useApp, useAppStores, useLibrary } from '../../stores/use-app-stores.tsx';
import styles from './library-filters.module.css';

/** Clears search and filters and focuses the search field, because the button that did it is unmounted. */
export const useShowAll = (): (() => void) => {
  const { library, view } = useAppStores();
  return () => {
    library.showAll();
    view.search();
  };
};

/** The option without a filter. */
const ANY = 'any';

interface FilterProps<Value extends string> {
  readonly label: string;
  readonly any: string;
  readonly value: Value | null;
  readonly options: readonly Value[];
  readonly titles: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value | null) => void;
}

const Filter = <Value extends string>({ label, any, value, options, titles, onChange }: FilterProps<Value>) => (
  <Picker<Value | typeof ANY>
    label={label}
    value={value ?? ANY}
    isActive={value !== null}
    options={[{ value: ANY, title: any }, ...options.map((option) => ({ value: option, title: titles[option] }))]}
    onChange={(chosen) => onChange(chosen === ANY ? null : chosen)}
  />
);

export const LibraryFilters = () => {
  const { engine, library } = useAppStores();
  const showAll = useShowAll();
  const { t } = useLocale();
  const { filters, text } = useLibrary();
  const look = useApp((app) => app.settings.libraryLook);
  const words = t.library.filters;
  const other = look === 'list' ? 'grid' : 'list';
  return (
    <div className={styles.filters} role="toolbar" aria-label={words.label}>
      <Filter
        {...words.kind}
        value={filters.kind}
        options={CONTENT_TYPES}
        titles={t.library.kinds}
        onChange={(kind) => library.narrow({ kind })}
      />
      <Filter
        {...words.visibility}
        value={filters.visibility}
        options={VISIBILITIES}
        titles={t.library.visibility}
        onChange={(visibility) => library.narrow({ visibility })}
      />
      <Filter
        {...words.state}
        value={filters.state}
        options={STATES}
        titles={words.states}
        onChange={(state) => library.narrow({ state })}
      />
      <Filter
        {...words.period}
        value={filters.period}
        options={DATE_RANGES}
        titles={words.periods}
        onChange={(period) => library.narrow({ period })}
      />
      {(isNarrowed(filters) || text !== '') && (
        <IconButton icon={FunnelX} label={t.library.showAll} onPress={showAll} />
      )}
      <span className={styles.order}>
        <Picker
          label={words.sort}
          value={filters.sort}
          isActive={false}
          options={SORTS.map((sort) => ({ value: sort, title: words.sorts[sort] }))}
          onChange={(sort) => library.narrow({ sort })}
        />
        <IconButton
          icon={other === 'grid' ? LayoutGrid : Rows3}
          label={words.looks[other]}
          onPress={() => void engine.updateSettings({ libraryLook: other })}
        />
      </span>
    </div>
  );
};
