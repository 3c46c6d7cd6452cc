/** The input field for a text mark, shown at the position and size of the mark. */

import { useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { useLocale } from '../../locales/locale.tsx';
import { type EditorSession, placementOf } from '../editor-session.ts';
import styles from './canvas.module.css';
import { toViewport } from './viewport.ts';

export const TextInput = ({ session }: { readonly session: EditorSession }) => {
  const isWriting = useStore(session.store, ({ writing }) => writing !== null);
  return isWriting ? <Field session={session} /> : null;
};

const Field = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useStore(session.store, ({ writing }) => writing?.text ?? '');
  const how = useId();

  // The content security policy forbids inline styles in markup, so the position is set by script.
  useEffect(() => {
    const follow = (): void => {
      const state = session.store.getState();
      if (!field.current || !state.writing) return;
      const { at, size, colour } = state.writing;
      const placement = placementOf(state);
      const { x, y } = toViewport(at, placement);
      const { style } = field.current;
      style.setProperty('left', `${x}px`);
      style.setProperty('top', `${y}px`);
      style.setProperty('font-size', `${size * placement.scale}px`);
      style.setProperty('color', colour);
    };
    follow();
    field.current?.focus();
    field.current?.select();
    return session.store.subscribe(follow);
  }, [session]);

  const end = (): void => {
    field.current?.closest<HTMLElement>('[data-canvas]')?.focus();
    session.commitText();
  };

  return (
    <>
      <textarea
        ref={field}
        className={styles.text}
        value={text}
        rows={1}
        spellCheck={false}
        aria-label={t.editor.writing}
        aria-describedby={how}
        onChange={({ currentTarget }) => session.type(currentTarget.value)}
        onKeyDown={(event) => {
          const isDone = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
          if (!isDone || event.nativeEvent.isComposing) return;
          event.preventDefault();
          end();
        }}
      />
      <span id={how} hidden>
        {t.editor.writingHow}
      </span>
    </>
  );
};
