/** The last resort, for a page without any language: what happened, and the way on, with little that could break as well. */

import { Button } from '../components/buttons/button.tsx';
import { SPEECHLESS } from '../locales/no-locale-texts.ts';
import styles from './error-screen.module.css';

export const NoLocaleFallback = () => (
  <main className={styles.window}>
    <div className={styles.speechless} role="alert">
      <h1>{SPEECHLESS.title}</h1>
      {SPEECHLESS.told.map(({ language, text, again }) => (
        <div key={language} lang={language}>
          <p>{text}</p>
          <Button onPress={() => location.reload()}>{again}</Button>
        </div>
      ))}
    </div>
  </main>
);
