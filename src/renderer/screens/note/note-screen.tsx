/** Screen for writing a new note or editing a published one. The editor is loaded on demand. */

import { lazy, Suspense } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './note-screen.module.css';

const NoteLayout = lazy(() => import('./note-editor.tsx'));

export const NoteScreen = ({ id }: { readonly id: ItemId | null }) => {
  const { t } = useLocale();
  return (
    <div className={styles.screen}>
      <Suspense
        fallback={
          <p className={styles.opening} role="status">
            {t.note.opening}
          </p>
        }
      >
        <NoteLayout id={id} />
      </Suspense>
    </div>
  );
};
