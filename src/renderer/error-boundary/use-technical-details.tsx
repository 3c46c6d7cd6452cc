/** Hook that shows the technical details of a render error on request, and copies them for a bug report. */

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { stackOf } from '../../base/common/error-text.ts';
import { Button } from '../components/buttons/button.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { AppStores } from '../stores/app-stores.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';
import type { ErrorFallbackProps } from './error-boundary.tsx';
import styles from './use-technical-details.module.css';

type ErrorDetails = Pick<ErrorFallbackProps, 'error' | 'parts'>;

/** Not localized. Of the current route it names the screen only. */
const technicalDetails = ({ error, parts }: ErrorDetails, { engine, view, now }: AppStores): string => {
  const errorText = stackOf(error);
  return [
    `Linkshot ${engine.store.getState().app?.version ?? '?'}, ${view.store.getState().shown.screen}`,
    new Date(now()).toISOString(),
    navigator.userAgent,
    errorText,
    parts?.trim() ?? '',
  ].join('\n');
};

/** Copies the details; if the browser refuses, opens them for manual copying. */
export const useTechnicalDetails = (what: ErrorDetails) => {
  const stores = useAppStores();
  const { t } = useLocale();
  const [copy, setCopy] = useState<'not yet' | 'done' | 'refused'>('not yet');
  const words = technicalDetails(what, stores);
  const isDone = copy === 'done';
  return {
    button: (
      <>
        <Button
          icon={isDone ? Check : Copy}
          onPress={async () => setCopy((await stores.clipboard.write(words)) ? 'done' : 'refused')}
        >
          {t.failed.copyDetails}
        </Button>
        <VisuallyHidden live>{isDone ? t.link.copied : ''}</VisuallyHidden>
      </>
    ),
    words: (
      <details className={styles.details} open={copy === 'refused'}>
        <summary>{t.app.details}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
        <pre tabIndex={0}>{words}</pre>
      </details>
    ),
  };
};
