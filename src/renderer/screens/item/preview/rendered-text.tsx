/**
 * Shows the text of a note or code file rendered as on the share page. A text that takes too long or fails to render is
 * shown plain.
 */

import { useEffect, useRef, useState } from 'react';
import { PROSE_CSS } from '../../../../common/design/prose-css.ts';
import { useLocale } from '../../../locales/locale.tsx';
import type { Rendered, Source } from '../../../rendering/render-text.ts';
import { sanitizedNodesOf } from '../../../rendering/sanitize-html.ts';
import { shadowOf, sheetOf } from '../../../rendering/shadow-root.ts';
import frame from './preview.module.css';
import styles from './rendered-text.module.css';

const PATIENCE_MS = 8_000;

const SHEET = sheetOf(`
:host { color: var(--text); }
*, *::before, *::after { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: -2px; }
.markdown > :first-child { margin-top: 0; }
.text.markdown, .text.plain { padding: var(--space-4) var(--space-5); }
${PROSE_CSS}
pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; }
.line { display: block; padding-right: var(--space-6); counter-increment: line; }
.line::before {
  content: counter(line); position: sticky; left: 0; display: inline-block; min-width: 3.25rem; margin-right: var(--space-3);
  padding-right: var(--space-3); border-right: 1px solid var(--line); background: var(--surface); color: var(--text-quiet);
  text-align: right; user-select: none; font-variant-numeric: tabular-nums;
}
pre.code > code { counter-reset: line; }`);

/** External links open outside the window; links within the app become plain text. */
const put = (host: HTMLElement, { html, look }: Rendered): void => {
  const text = document.createElement('div');
  text.className = `text ${look}`;
  text.append(...sanitizedNodesOf(html));
  for (const link of text.querySelectorAll('a[href^="#"]')) link.removeAttribute('href');
  shadowOf(host, [SHEET]).replaceChildren(text);
};

const putPlain = (host: HTMLElement, source: Source): void => {
  const block = document.createElement('pre');
  block.className = 'plain';
  block.textContent = source.kind === 'note' ? source.note.text : source.text;
  const text = document.createElement('div');
  text.className = 'text plain';
  text.append(block);
  shadowOf(host, [SHEET]).replaceChildren(text);
};

interface RenderedTextProps {
  readonly label: string;
  /** Must be the same object while the text is the same. */
  readonly source: Source;
}

export const RenderedText = ({ label, source }: RenderedTextProps) => {
  const { t } = useLocale();
  const host = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);

  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    const worker = new Worker(new URL('../../../rendering/render-text-worker.ts', import.meta.url), { type: 'module' });
    const showPlain = (): void => {
      worker.terminate();
      putPlain(current, source);
      setThere(true);
    };
    const plainTimer = setTimeout(showPlain, PATIENCE_MS);
    worker.onmessage = ({ data }: MessageEvent<Rendered>) => {
      clearTimeout(plainTimer);
      put(current, data);
      setThere(true);
    };
    worker.onerror = () => {
      clearTimeout(plainTimer);
      showPlain();
    };
    worker.postMessage(source);
    return () => {
      clearTimeout(plainTimer);
      worker.terminate();
    };
  }, [source]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
    <section className={styles.place} aria-label={label} aria-busy={!isThere} tabIndex={0}>
      {!isThere && <p className={frame.loading}>{t.item.preview.loading}</p>}
      <div ref={host} hidden={!isThere} />
    </section>
  );
};
