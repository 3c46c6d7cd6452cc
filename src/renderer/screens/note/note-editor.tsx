/**
 * The note editor, which is loaded on demand: opens the store of a note, arranges header, errors, and the text or the
 * comparison of a conflict, and handles the editor's shortcuts.
 */

import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { unreachable } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { isCommandKey, isLetter } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import { keepUnsavedWork } from '../../stores/unsaved-work.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { ConflictComparison } from './conflict-comparison.tsx';
import styles from './note-editor.module.css';
import { hindranceOf } from './note-editor-state.ts';
import { createNoteEditorStore, type NoteEditorStore } from './note-editor-store.ts';
import { NoteErrors } from './note-errors.tsx';
import { NoteHeader } from './note-header.tsx';
import { NoteTextPane } from './note-text-pane.tsx';
import type { CodeEditor } from './text/code-editor.ts';

/** Time to press the Tab key after Esc. */
const TAB_FREE_MS = 8_000;

/** The store of one note while it is shown; the text is saved before the page unloads, and after an outage of the host. */
const useNoteEditorStore = (id: ItemId | null): NoteEditorStore => {
  const { engine, newNotes } = useAppStores();
  const [work] = useState(() => createNoteEditorStore({ engine, id, newNotes }));
  useEffect(() => {
    void work.open();
    const keep = (): void => void work.saveDraft();
    window.addEventListener('blur', keep);
    window.addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    const stop = keepUnsavedWork(engine, { isUnsaved: work.isUnsaved, save: keep });
    return () => {
      stop();
      window.removeEventListener('blur', keep);
      window.removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      void work.close();
    };
  }, [engine, work]);
  return work;
};

const NoteEditor = ({ id }: { readonly id: ItemId | null }) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const work = useNoteEditorStore(id);
  const state = useStore(work.store);
  const field = useRef<CodeEditor>(null);
  const [isTabFree, setTabFree] = useState(false);

  const send = async (after: 'stay' | 'leave'): Promise<void> => {
    if (hindranceOf(state) !== null || state.stage === 'lost' || state.stage === 'opening') return;
    const here = view.whileHere();
    const outcome = await work.send();
    if (outcome === 'published') here.show('home');
    else if (outcome === 'saved' && after === 'leave') here.back();
  };

  useEffect(() => {
    if (!isTabFree) return;
    const timer = setTimeout(() => setTabFree(false), TAB_FREE_MS);
    return () => clearTimeout(timer);
  }, [isTabFree]);

  const pressBefore = useEffectEvent((event: KeyboardEvent): void => {
    const command = isCommandKey(event) && !event.altKey && !event.shiftKey;
    const does = (act: () => void): void => {
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    if (command && event.key === 'Enter') does(() => void send('leave'));
    else if (command && isLetter(event, 's')) does(() => void send('stay'));
    else if (command && isLetter(event, 'f') && field.current !== null) does(() => field.current?.find());
    else if (event.key !== 'Escape' && event.key !== 'Tab' && event.key !== 'Shift') setTabFree(false);
  });

  /** Esc in the text makes Tab leave it, so that there is no keyboard trap. */
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (field.current?.isInText(event.nativeEvent) && !isTabFree) {
      field.current.freeTab(TAB_FREE_MS);
      setTabFree(true);
      return;
    }
    view.back();
  };

  const body = () => {
    switch (state.stage) {
      case 'opening':
      case 'lost':
        return state.stage === 'opening' ? <p role="status">{t.note.opening}</p> : null;
      case 'writing':
        return (
          <NoteTextPane
            work={work}
            state={state}
            id={id}
            isTabFree={isTabFree}
            onReady={(ready) => {
              field.current = ready;
              ready?.focus();
            }}
            onFind={() => field.current?.find()}
          />
        );
      case 'comparing':
        return state.conflict && <ConflictComparison conflict={state.conflict} onMerge={work.write} />;
      default:
        return unreachable(state.stage);
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: captures shortcuts of the whole screen
    <div className={styles.desk} onKeyDownCapture={(event) => pressBefore(event)} onKeyDown={press}>
      <NoteHeader work={work} state={state} id={id} onSend={() => void send('stay')} />
      <NoteErrors work={work} state={state} id={id} onSend={() => void send('stay')} />
      {body()}
    </div>
  );
};

export default NoteEditor;
