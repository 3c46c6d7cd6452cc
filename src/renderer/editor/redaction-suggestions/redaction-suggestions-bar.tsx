/**
 * Bar for the search for possible secrets in the image: shows its progress or error, then asks for each place whether
 * to redact it. Each answer has a button and a key.
 */
import { useEffect, useRef } from 'react';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { Button } from '../../components/buttons/button.tsx';
import { isLetter, isPlainKey, oncePerPress } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './redaction-suggestions.module.css';
import type { RedactionSuggestionActions, RedactionSuggestions } from './use-redaction-suggestions.ts';

interface Props {
  readonly proposals: RedactionSuggestions;
  readonly actions: RedactionSuggestionActions;
  /** A picture that is too large to be edited has no redactions. */
  readonly canHide: boolean;
  /** Before an upload each place must be decided about: told when an upload was held. */
  readonly isHeld: boolean;
  readonly rule: Settings['checkBeforeUpload'];
}

export const RedactionSuggestionsBar = ({ proposals, actions, canHide, isHeld, rule }: Props) => {
  const { t } = useLocale();
  const words = t.pictureText.secrets;
  const bar = useRef<HTMLElement>(null);
  const { state } = proposals;
  const current = proposals.state === 'found' ? proposals.found[proposals.at] : undefined;

  const step = state === 'found' ? (current ? 'deciding' : 'over') : state === 'failed' ? 'failed' : null;
  // What the user types must not decide about places that appear meanwhile.
  const takesKeys = isHeld || (proposals.state === 'found' && (proposals.by === 'user' || proposals.at > 0));

  useEffect(() => {
    // Its keys work at once, and the focus stays in it when the last place is decided.
    if (step !== null && takesKeys) bar.current?.querySelector('button')?.focus();
  }, [step, takesKeys]);

  if (state === 'none' || state === 'closed' || state === 'looked') return null;
  const close = (): void => {
    bar.current?.ownerDocument.querySelector<HTMLElement>('[data-canvas]')?.focus();
    actions.close();
  };
  const press = (event: React.KeyboardEvent): void => {
    if (!isPlainKey(event)) return;
    const { nativeEvent } = event;
    const once = oncePerPress(event);
    if (event.key === 'Escape') once(close);
    else if (current && canHide && isLetter(nativeEvent, 'y')) once(actions.hide);
    else if (current && isLetter(nativeEvent, 'n')) once(actions.leave);
    else if (current && canHide && isLetter(nativeEvent, 'a')) once(actions.hideRest);
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
  const held = !isHeld || step === 'over' ? null : rule === 'require' ? words.held : words.heldOnce;
  return (
    <section ref={bar} className={styles.bar} aria-label={words.find} onKeyDown={press}>
      <p className={styles.words} role="status">
        {sentence()}
        {held !== null && <strong className={styles.held}> {held}</strong>}
      </p>
      <div className={styles.buttons}>
        {current && (
          <>
            {canHide && (
              <Button tone="primary" onPress={actions.hide}>
                {t.editor.withKey(words.hide, 'Y')}
              </Button>
            )}
            <Button onPress={actions.leave}>{t.editor.withKey(words.leave, 'N')}</Button>
            {canHide && <Button onPress={actions.hideRest}>{t.editor.withKey(words.hideRest, 'A')}</Button>}
          </>
        )}
        {state === 'failed' && (
          <>
            <Button onPress={() => actions.find()}>{words.again}</Button>
            {rule === 'require' && <Button onPress={actions.confirm}>{words.looked}</Button>}
          </>
        )}
        <Button tone="quiet" onPress={close}>
          {t.editor.withKey(current || state === 'looking' ? words.stop : words.close, 'Esc')}
        </Button>
      </div>
    </section>
  );
};
