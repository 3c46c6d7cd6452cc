/** What the makers need to know of a broken part: shown on request, and copied whole. */

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useLocale } from '../locales/locale.tsx';
import { Button } from '../components/buttons/button.tsx';
import { Hidden } from '../components/indicators/visually-hidden.tsx';
import type { Page } from '../stores/app-stores.ts';
import { usePage } from '../stores/use-app-stores.tsx';
import type { FailedProps } from './error-boundary.tsx';
import styles from './technical-details.module.css';

type What = Pick<FailedProps, 'error' | 'parts'>;

/** In no language; of what is shown it names the kind of screen only. */
const technicalWords = ({ error, parts }: What, { engine, view, now }: Page): string => {
  const told = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return [
    `Linkshot ${engine.store.getState().app?.version ?? '?'}, ${view.store.getState().shown.screen}`,
    new Date(now()).toISOString(),
    navigator.userAgent,
    told,
    parts?.trim() ?? '',
  ].join('\n');
};

/** A button that copies them; where the browser refuses, they are opened to be copied by hand. */
export const useTechnical = (what: What) => {
  const page = usePage();
  const { t } = useLocale();
  const [copy, setCopy] = useState<'not yet' | 'done' | 'refused'>('not yet');
  const words = technicalWords(what, page);
  const isDone = copy === 'done';
  return {
    button: (
      <>
        <Button
          icon={isDone ? Check : Copy}
          onPress={async () => setCopy((await page.clipboard.write(words)) ? 'done' : 'refused')}
        >
          {t.failed.copyDetails}
        </Button>
        <Hidden live>{isDone ? t.link.copied : ''}</Hidden>
      </>
    ),
    words: (
      <details className={styles.details} open={copy === 'refused'}>
        <summary>{t.app.details}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by the keyboard */}
        <pre tabIndex={0}>{words}</pre>
      </details>
    ),
  };
};
