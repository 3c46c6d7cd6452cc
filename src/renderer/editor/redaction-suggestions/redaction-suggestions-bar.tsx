/**
 * Bar that shows how many possible secrets were found in the image. The user redacts or skips them one by one, each
 * with a single key.
 */
import { useEffect, useRef } from 'react';
import { Button } from '../../components/buttons/button.tsx';
import { isLetter } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './redaction-suggestions.module.css';
import type { RedactionSuggestionActions, RedactionSuggestions } from './use-redaction-suggestions.ts';

interface Props {
  readonly proposals: RedactionSuggestions;
  readonly actions: RedactionSuggestionActions;
}

export const RedactionSuggestionsBar = ({ proposals, actions }: Props) => {
  const { t } = useLocale();
  const words = t.pictureText.secrets;
  const bar = useRef<HTMLElement>(null);
  const { state } = proposals;
  const current = proposals.state === 'found' ? proposals.found[proposals.at] : undefined;

  const step = state === 'found' ? (current ? 'deciding' : 'over') : null;

  useEffect(() => {
    // Its keys work at once, and the focus stays in it when the last place is decided.
    if (step !== null) bar.current?.querySelector('button')?.focus();
  }, [step]);

  if (state === 'none') return null;
  const close = (): void => {
    bar.current?.ownerDocument.querySelector<HTMLElement>('[data-canvas]')?.focus();
    actions.close();
  };
  const press = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { nativeEvent } = event;
    if (event.key === 'Escape') close();
    else if (current && isLetter(nativeEvent, 'y')) actions.hide();
    else if (current && isLetter(nativeEvent, 'n')) actions.leave();
    else if (current && isLetter(nativeEvent, 'a')) actions.hideRest();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const sentence = (): string => {
    if (proposals.state !== 'found') return state === 'looking' ? words.looking : words.failed;
    const { found, at, hidden } = proposals;
    if (found.length === 0) return words.nothing;
    const shown = found[at];
    return shown ? words.place(words.kinds[shown.kind], at + 1, found.length) : words.done(hidden, found.length);
  };
  return (
    <section ref={bar} className={styles.bar} aria-label={words.find} onKeyDown={press}>
      <p className={styles.words} role="status">
        {sentence()}
      </p>
      <div className={styles.buttons}>
        {current && (
          <>
            <Button tone="primary" onPress={actions.hide}>
              {t.editor.withKey(words.hide, 'Y')}
            </Button>
            <Button onPress={actions.leave}>{t.editor.withKey(words.leave, 'N')}</Button>
            <Button onPress={actions.hideRest}>{t.editor.withKey(words.hideRest, 'A')}</Button>
          </>
        )}
        <Button tone="quiet" onPress={close}>
          {t.editor.withKey(current || state === 'looking' ? words.stop : words.close, 'Esc')}
        </Button>
      </div>
    </section>
  );
};
