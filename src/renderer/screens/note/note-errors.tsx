/**
 * Shows the errors of a note: what happened, what was kept, and what to do. Also offers to restore a replaced version.
 */

import { Copy, FilePlus2, RefreshCw, Undo2, X } from 'lucide-react';
import type { ItemId } from '../../../api/ids.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { isGone, isPassing, sentText, type WorkState } from './note-editor-state.ts';
import type { NoteEditorStore } from './note-editor-store.ts';
import styles from './note-errors.module.css';

interface NoteErrorsProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly id: ItemId | null;
  readonly onSend: () => void;
}

export const NoteErrors = (props: NoteErrorsProps) => (
  <div className={styles.errors}>
    <InUseNotice {...props} />
    <LostPasswordNotice {...props} />
    <NoteError {...props} />
    <ReplacedVersionNotice {...props} />
  </div>
);

const NoteError = ({ work, state, id, onSend }: NoteErrorsProps) => {
  const { t, failure: describe } = useLocale();
  const { clipboard, view } = useAppStores();
  const { error, stage, kept, isElsewhere } = state;
  if (error === null) return null;
  const { failure } = error;
  const moveToNewNote = async (): Promise<void> => {
    const here = view.whileHere();
    if ((await work.moveToNewNote()) === 'moved') here.open({ screen: 'note', id: null });
  };
  if (id !== null && isGone(failure)) {
    const sentences = stage === 'lost' ? [t.note.goneNothing] : [t.note.goneKept];
    return (
      <div role="alert">
        <Alert tone="warn" title={t.note.gone} sentences={sentences} failure={failure}>
          {stage !== 'lost' && (
            <>
              {!isElsewhere && (
                <Button tone="primary" icon={FilePlus2} onPress={() => void moveToNewNote()}>
                  {t.note.moveToNewNote}
                </Button>
              )}
              <Button icon={Copy} onPress={() => void clipboard.write(sentText(state))}>
                {t.note.copyText}
              </Button>
            </>
          )}
        </Alert>
      </div>
    );
  }
  if (id !== null && stage === 'lost' && failure.code === 'COMMAND_INVALID')
    return (
      <div role="alert">
        <Alert tone="warn" title={t.note.unknown} sentences={[t.item.unknownText]} failure={failure}>
          <Button tone="primary" onPress={() => view.show('library')}>
            {t.item.toLibrary}
          </Button>
        </Alert>
      </div>
    );
  const { title, advice } = describe(failure);
  const isSafe = stage !== 'lost' && kept.is !== 'not';
  const tryAgain = {
    reading: () => void work.open(),
    sending: onSend,
    moving: () => void moveToNewNote(),
  }[error.in];
  const hasWords = stage !== 'lost' && (id === null || kept.is !== 'nothing');
  return (
    <div role="alert">
      <Alert
        tone={isPassing(failure) ? 'warn' : 'bad'}
        title={title}
        sentences={[...(isSafe ? [hasWords ? t.note.errorKept : t.note.errorRead] : []), advice]}
        failure={failure}
      >
        <Button icon={RefreshCw} onPress={tryAgain}>
          {t.app.tryAgain}
        </Button>
      </Alert>
    </div>
  );
};

/** Says why a note that is shown cannot be changed. */
const InUseNotice = ({ state: { isElsewhere } }: NoteErrorsProps) => {
  const { t } = useLocale();
  if (!isElsewhere) return null;
  return (
    <div role="status">
      <Alert tone="warn" title={t.note.inUse} sentences={[t.note.inUseText]} />
    </div>
  );
};

/** Says why a note whose password is in no draft cannot be published after a restart. */
const LostPasswordNotice = ({ work, state: { isPasswordLost } }: NoteErrorsProps) => {
  const { t } = useLocale();
  if (!isPasswordLost) return null;
  return (
    <div role="status">
      <Alert tone="warn" title={t.note.passwordLost} sentences={[t.note.passwordLostText]}>
        <Button onPress={() => work.setPassword('')}>{t.note.passwordRemove}</Button>
      </Alert>
    </div>
  );
};

/** Offers to restore a replaced version. */
const ReplacedVersionNotice = ({ work, state: { aside } }: NoteErrorsProps) => {
  const { t } = useLocale();
  if (aside === null) return null;
  return (
    <div role="status">
      <Alert tone="plain" title={t.note.aside[aside.why]} sentences={[]}>
        <Button icon={Undo2} onPress={work.bringBack}>
          {aside.why === 'discarded' ? t.note.undo : t.note.bringBack}
        </Button>
        <Button icon={X} tone="quiet" onPress={work.letAsideGo}>
          {t.app.dismiss}
        </Button>
      </Alert>
    </div>
  );
};
