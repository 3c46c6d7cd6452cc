/** Diagnostics report, shown before it is copied, so that the user sees its content. */

import { useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import { CopyTextButton } from '../copy-text-button.tsx';
import { Setting } from '../row.tsx';
import styles from './report-row.module.css';

export const ReportRow = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.advanced;
  const [text, setText] = useState<string | null>(null);
  const show = async () => {
    const result = await engine.run('profile.report', {});
    if (result) setText(result.text);
  };
  return (
    <Setting
      id="report"
      label={words.report}
      hint={words.reportHint}
      below={
        text !== null && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
          <section className={styles.frame} tabIndex={0} aria-label={words.reportText}>
            <pre className={styles.text}>{text}</pre>
          </section>
        )
      }
    >
      {text !== null && <CopyTextButton text={text} label={words.reportCopy} />}
      <Button aria-expanded={text !== null} onPress={() => (text === null ? void show() : setText(null))}>
        {text === null ? words.reportShow : words.reportHide}
      </Button>
    </Setting>
  );
};
