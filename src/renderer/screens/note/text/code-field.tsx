/** The text field in the page: follows what it is given, and tells what is typed. */

import { useEffect, useEffectEvent, useRef } from 'react';
import type { Kind } from '../note-state.ts';
import styles from './code-field.module.css';
import { type CodeText, type CodeWords, createCodeText } from './code-text.ts';

interface CodeFieldProps {
  readonly words: CodeWords;
  readonly text: string;
  readonly kind: Kind;
  readonly lines: 'wrapped' | 'long';
  readonly editable: 'editable' | 'still';
  readonly onChange: (text: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
  /** The field once it is there; null when it is gone. */
  readonly onReady: (field: CodeText | null) => void;
}

export const CodeField = ({ words, text, kind, lines, editable, onChange, onFiles, onReady }: CodeFieldProps) => {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<CodeText>(null);
  const tell = useEffectEvent(onChange);
  const take = useEffectEvent(onFiles);
  const ready = useEffectEvent(onReady);
  const make = useEffectEvent((element: HTMLElement) => {
    const made = createCodeText({ host: element, text, words, onChange: tell, onFiles: take });
    made.setLines(lines);
    made.setKind(kind);
    return made;
  });

  // The words are those of the language in which it was opened, so that what is typed and its history stay.
  useEffect(() => {
    if (host.current === null) return;
    const made = make(host.current);
    field.current = made;
    ready(made);
    return () => {
      field.current = null;
      ready(null);
      made.destroy();
    };
  }, []);
  useEffect(() => field.current?.setText(text), [text]);
  useEffect(() => field.current?.setKind(kind), [kind]);
  useEffect(() => field.current?.setLines(lines), [lines]);
  useEffect(() => field.current?.setEditable(editable), [editable]);

  return <div ref={host} className={styles.field} data-typing />;
};
