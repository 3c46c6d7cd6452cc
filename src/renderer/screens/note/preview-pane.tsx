/** The text as its share page will show it. Links lead out of the app; within the text they lead to their heading. */

import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { WRITING_CSS } from '../../../contract/design/writing.ts';
import { useLocale } from '../../locales/locale.tsx';
import { createPreview, type Preview } from './preview.ts';
import styles from './preview-pane.module.css';
import { shadowOf, sheetOf } from './shadow.ts';

const SHEET = sheetOf(`
:host { color: var(--text); }
*, *::before, *::after { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
.markdown { font-size: var(--size-large); }
.markdown > :first-child { margin-top: 0; }
${WRITING_CSS}`);

/** Scrolls to the part of the text, 0 to 1, that the writer looks at. */
export type ScrollTo = (part: number) => void;

interface PreviewPaneProps {
  readonly text: string;
  readonly title: string;
  readonly ref: Ref<ScrollTo>;
}

/** A link within the text; the page's own address stays. */
const follow = (event: Event): void => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href') ?? '';
  if (!href.startsWith('#')) return;
  event.preventDefault();
  const root = link?.getRootNode();
  if (root instanceof ShadowRoot)
    root.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView({ block: 'start' });
};

export const PreviewPane = ({ text, title, ref }: PreviewPaneProps) => {
  const { t } = useLocale();
  const pane = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const preview = useRef<Preview>(null);
  const [isGivenUp, setGivenUp] = useState(false);

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowOf(host.current, [SHEET]);
    const into = document.createElement('div');
    into.className = 'markdown';
    into.addEventListener('click', follow);
    root.replaceChildren(into);
    const made = createPreview({ into, onState: (state) => setGivenUp(state === 'given-up') });
    preview.current = made;
    return made.close;
  }, []);
  useEffect(() => preview.current?.show({ text, title }), [text, title]);
  useImperativeHandle(
    ref,
    () => (part) => {
      const scrolled = pane.current;
      scrolled?.scrollTo(0, part * (scrolled.scrollHeight - scrolled.clientHeight));
    },
    [],
  );

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={pane} className={styles.pane} aria-label={t.note.preview} tabIndex={0}>
      {text.trim() === '' && <p className={styles.empty}>{t.note.previewEmpty}</p>}
      {isGivenUp && <p className={styles.empty}>{t.note.previewGivenUp}</p>}
      <div ref={host} hidden={isGivenUp} />
    </section>
  );
};
