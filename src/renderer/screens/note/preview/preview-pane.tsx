/** The text as its share page will show it. Links lead out of the app, or give their address where it opens none. */

import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { WRITING_CSS } from '../../../../common/design/prose-css.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { shadowOf, sheetOf } from '../text/shadow-root.ts';
import { createPreview, type Preview } from './preview.ts';
import styles from './preview-pane.module.css';

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

/** The link that was pressed: its address, and the element in the same text that it leads to, if any. */
const pressed = ({ target }: Event): { readonly href: string; readonly place: Element | null } | null => {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  const href = link?.getAttribute('href') ?? '';
  const root = link?.getRootNode();
  if (!href.startsWith('#') || !(root instanceof ShadowRoot)) return href === '' ? null : { href, place: null };
  return { href, place: root.getElementById(decodeURIComponent(href.slice(1))) };
};

export const PreviewPane = ({ text, title, ref }: PreviewPaneProps) => {
  const { clipboard } = useAppStores();
  const { t } = useLocale();
  // Its window opens pages of the service alone.
  const keepsInside = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  const [copied, setCopied] = useState<string | null>(null);
  const pane = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const preview = useRef<Preview>(null);
  const [isGivenUp, setGivenUp] = useState(false);

  const follow = useEffectEvent((event: Event): void => {
    const link = pressed(event);
    if (link === null) return;
    const isWithin = link.href.startsWith('#');
    if (isWithin || keepsInside) event.preventDefault();
    if (isWithin) link.place?.scrollIntoView({ block: 'start' });
    else if (keepsInside) void clipboard.write(link.href).then((isCopied) => setCopied(isCopied ? link.href : null));
  });

  useEffect(() => {
    if (host.current === null) return;
    const root = shadowOf(host.current, [SHEET]);
    const into = document.createElement('div');
    into.className = 'markdown';
    into.addEventListener('click', (event) => follow(event));
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
      <p className={styles.copied} role="status">
        {copied !== null && t.note.addressCopied(copied)}
      </p>
    </section>
  );
};
