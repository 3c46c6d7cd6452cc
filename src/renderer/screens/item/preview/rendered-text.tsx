/** Rendered text in its place. Its links open beside this page, never in its place, and not at all where the host has no browser. */

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp } from '../../../stores/use-page.tsx';
import frame from './preview.module.css';
import type { Rendered } from './rendered.ts';
import styles from './rendered-text.module.css';

type Renderer = typeof import('./rendered.ts');

interface RenderedTextProps {
  readonly label: string;
  readonly render: (renderer: Renderer) => Rendered;
}

/** `render` must be stable as long as its text is. */
export const RenderedText = ({ label, render }: RenderedTextProps) => {
  const { t } = useLocale();
  const [rendered, setRendered] = useState<Rendered | null>(null);
  useEffect(() => {
    let isCurrent = true;
    import('./rendered.ts').then(
      (renderer) => {
        if (isCurrent) setRendered(render(renderer));
      },
      // It fails only where the host is gone, and then the window says so.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [render]);
  const place = useRef<HTMLElement>(null);
  const byHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  useLayoutEffect(() => {
    if (rendered === null) return;
    for (const link of place.current?.querySelectorAll('a') ?? []) tame(link, byHost ? 'inert' : 'beside');
  }, [rendered, byHost]);
  if (rendered === null) return <p className={frame.loading}>{t.item.preview.loading}</p>;
  return (
    <section
      ref={place}
      className={cx(styles.text, styles[rendered.look])}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its place is scrolled by keys
      tabIndex={0}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by our own renderer, which escapes all text
      dangerouslySetInnerHTML={{ __html: rendered.html }}
    />
  );
};

/** What leads within the text would change the address of the window; what leads elsewhere, the window itself. */
const tame = (link: HTMLAnchorElement, way: 'beside' | 'inert'): void => {
  const address = link.getAttribute('href') ?? '';
  if (way === 'beside' && !address.startsWith('#')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    return;
  }
  link.removeAttribute('href');
  if (!address.startsWith('#')) link.title = address;
};
