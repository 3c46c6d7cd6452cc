/** Fallback for a page that fails before its language is loaded: shows the same message in every language. */

import { Button } from '../components/buttons/button.tsx';
import { NO_LOCALE_TEXTS } from '../locales/no-locale-fallback-texts.ts';
import styles from './error-fallbacks.module.css';

export const NoLocaleFallback = () => (
  <main className={styles.window}>
    <div className={styles.noLocale} role="alert">
      <h1>{NO_LOCALE_TEXTS.title}</h1>
      {NO_LOCALE_TEXTS.messages.map(({ language, text, again }) => (
        <div key={language} lang={language}>
          <p>{text}</p>
          <Button onPress={() => location.reload()}>{again}</Button>
        </div>
      ))}
    </div>
  </main>
);
