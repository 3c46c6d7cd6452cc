/** Edit conflict of a note: compares both versions, and the user keeps one of them or merges parts of both. */

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { Advice } from '../../../components/overlays/advice.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { Conflict } from '../note-state.ts';
import styles from './comparison.module.css';
import { createMergeText, type MergeText } from './merge-text.ts';

/** Minimum width in pixels for showing two texts side by side. */
const BESIDE_FROM = 720;

interface ComparisonProps {
  readonly conflict: Conflict;
  readonly onMerge: (text: string) => void;
}

const chosenOf = ({ mine, theirs, merged }: Conflict): 'mine' | 'theirs' | 'both' => {
  if (merged === mine.text) return 'mine';
  return merged === theirs.text ? 'theirs' : 'both';
};

/** Follows the available width. */
const useLayout = () => {
  const container = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<'beside' | 'column' | null>(null);
  useEffect(() => {
    if (container.current === null) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setLayout(entry.contentRect.width < BESIDE_FROM ? 'column' : 'beside');
    });
    watcher.observe(container.current);
    return () => watcher.disconnect();
  }, []);
  return { container, layout };
};

export const Comparison = ({ conflict, onMerge }: ComparisonProps) => {
  const { t, language } = useLocale();
  const { container, layout } = useLayout();
  const { mine, theirs } = conflict;
  const chosen = chosenOf(conflict);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.comparison} aria-labelledby="note-conflict">
      <h2 ref={heading} id="note-conflict" tabIndex={-1} className={styles.heading}>
        {t.note.conflict.title}
      </h2>
      <Advice tone="warn" title={t.note.conflict.happened} sentences={[t.note.conflict.advice]} />
      <RadioChoice
        look="segments"
        label={t.note.conflict.saves}
        value={chosen}
        options={[
          { value: 'mine', title: t.note.conflict.mine },
          { value: 'theirs', title: t.note.conflict.theirs },
          { value: 'both', title: t.note.conflict.both },
        ]}
        onChange={(choice) => {
          if (choice !== 'both') onMerge(choice === 'mine' ? mine.text : theirs.text);
        }}
      />
      <div ref={container} className={styles.texts}>
        {layout === 'beside' && (
          <div className={styles.names} aria-hidden>
            <span>{t.note.conflict.theirsName}</span>
            <span>{t.note.conflict.mineName}</span>
          </div>
        )}
        {layout !== null && (
          <Texts key={`${layout} ${language}`} layout={layout} conflict={conflict} onMerge={onMerge} />
        )}
      </div>
    </section>
  );
};

const Texts = ({ layout, conflict, onMerge }: ComparisonProps & { readonly layout: 'beside' | 'column' }) => {
  const { t } = useLocale();
  const host = useRef<HTMLDivElement>(null);
  const text = useRef<MergeText>(null);
  const reportMerge = useEffectEvent(onMerge);
  const make = useEffectEvent((element: HTMLElement): MergeText => {
    const { mine, theirs, merged } = conflict;
    const words = { label: t.note.conflict.mineName, leave: t.note.leaveHint, empty: '', phrases: t.note.phrases };
    return createMergeText({
      ...{ host: element, layout, theirs: theirs.text, mine: merged, kind: mine, onChange: reportMerge },
      words: { theirs: t.note.conflict.theirsName, mine: words, takePart: t.note.conflict.takePart },
    });
  });
  useEffect(() => {
    if (host.current === null) return;
    const view = make(host.current);
    text.current = view;
    return () => {
      text.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => text.current?.setText(conflict.merged), [conflict.merged]);
  return <div ref={host} className={styles.host} data-typing />;
};
