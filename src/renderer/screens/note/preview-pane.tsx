/**
 * Preview of a Markdown note as on its share page. A link to another page opens in a new tab of the browser; in the
 * desktop app its address is copied instead.
 */

import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { decodePercent } from '../../../base/common/decode-percent.ts';
import { PROSE_CSS } from '../../../common/design/prose-css.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { Rendered, Source } from '../../rendering/render-text.ts';
import { sanitizedNodesOf } from '../../rendering/sanitize-html.ts';
import { shadowOf, sheetOf } from '../../rendering/shadow-root.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './preview-pane.module.css';

/** Only a malicious text takes longer. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 120;

interface PreviewText {
  readonly text: string;
  readonly title: string;
}

interface PreviewDeps {
  readonly into: Element;
  /** `given-up`: rendering took too long and was cancelled. */
  readonly onState: (state: 'shown' | 'given-up') => void;
}

/** A worker with the same code as for published notes. */
const startWorker = (): Worker =>
  new Worker(new URL('../../rendering/render-text-worker.ts', import.meta.url), { type: 'module' });

const sourceOf = ({ text, title }: PreviewText): Source => ({
  ...{ kind: 'note', title },
  note: { text, format: 'markdown', language: null, revision: 1 },
});

/**
 * Keeps the rendered preview in sync with the text. The latest text is always shown, and a slow render never blocks
 * typing.
 */
const createPreview = ({ into, onState }: PreviewDeps) => {
  let worker: Worker | null = null;
  let next: PreviewText | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let renderTimer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;

  const end = (): void => {
    worker?.terminate();
    worker = null;
    isBusy = false;
    clearTimeout(renderTimer);
  };

  const onTimeout = (): void => {
    end();
    onState('given-up');
    work();
  };

  const work = (): void => {
    if (isBusy || next === null) return;
    if (worker === null) {
      worker = startWorker();
      worker.onmessage = ({ data }: MessageEvent<Rendered>) => {
        clearTimeout(renderTimer);
        isBusy = false;
        into.replaceChildren(...sanitizedNodesOf(data.html));
        onState('shown');
        work();
      };
      worker.onerror = onTimeout;
    }
    isBusy = true;
    renderTimer = setTimeout(onTimeout, PATIENCE_MS);
    worker.postMessage(sourceOf(next));
    next = null;
  };

  return {
    show: (text: PreviewText): void => {
      next = text;
      clearTimeout(pause);
      pause = setTimeout(work, PAUSE_MS);
    },
    close: (): void => {
      clearTimeout(pause);
      end();
    },
  };
};

type Preview = ReturnType<typeof createPreview>;

const SHEET = sheetOf(`
:host { color: var(--text); }
*, *::before, *::after { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
.markdown { font-size: var(--size-large); }
.markdown > :first-child { margin-top: 0; }
${PROSE_CSS}`);

/** Scrolls to the position (0 to 1) of the editor. */
export type ScrollTo = (part: number) => void;

interface PreviewPaneProps {
  readonly text: string;
  readonly title: string;
  readonly ref: Ref<ScrollTo>;
}

/** The clicked link: its address, and its target element if it is in the same text. */
const pressed = ({ target }: Event): { readonly href: string; readonly place: Element | null } | null => {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  const href = link?.getAttribute('href') ?? '';
  const root = link?.getRootNode();
  if (!href.startsWith('#') || !(root instanceof ShadowRoot)) return href === '' ? null : { href, place: null };
  const id = decodePercent(href.slice(1));
  return { href, place: id === null ? null : root.getElementById(id) };
};

export const PreviewPane = ({ text, title, ref }: PreviewPaneProps) => {
  const { clipboard } = useAppStores();
  const { t } = useLocale();
  // This host's window opens only pages of the service.
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
    const newPreview = createPreview({ into, onState: (state) => setGivenUp(state === 'given-up') });
    preview.current = newPreview;
    return newPreview.close;
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
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
