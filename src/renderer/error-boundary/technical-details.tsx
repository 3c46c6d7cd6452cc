/** What the makers need to know of a broken part: shown on request, and copied whole. */

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/buttons/button.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { AppStores } from '../stores/app-stores.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';
import type { ErrorFallbackProps } from './error-boundary.tsx';
import styles from './technical-details.module.css';

type What = Pick<ErrorFallbackProps, 'error' | 'parts'>;

/** In no language; of what is shown it names the kind of screen only. */
const technicalWords = ({ error, parts }: What, { engine, view, now }: AppStores): string => {
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
export const useTechnicalDetails = (what: What) => {
  const page = useAppStores();
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
        <VisuallyHidden live>{isDone ? t.link.copied : ''}</VisuallyHidden>
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
