/**
 * Dialog with the errors that the user has not dismissed, and the sidebar entry that shows their number and opens the
 * dialog.
 */

import { CircleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { ErrorHistoryEntry } from '../../ipc/protocol/commands/error-history.ts';
import { Alert } from '../components/alert.tsx';
import { Button, IconButton } from '../components/buttons/button.tsx';
import { Dialog } from '../components/overlays/dialog.tsx';
import { cx } from '../design/class-names.ts';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores, useErrorList } from '../stores/use-app-stores.tsx';
import styles from './error-list.module.css';

/** Renders nothing while there are no errors. */
export const ErrorList = ({ className }: { readonly className: string }) => {
  const { t } = useLocale();
  const problems = useErrorList();
  const [isOpen, setOpen] = useState(false);
  const isEmpty = problems.length === 0;
  useEffect(() => {
    if (!isEmpty || !isOpen) return;
    setOpen(false);
    // The button that opened the list has been removed, too.
    document.querySelector<HTMLElement>('main')?.focus();
  }, [isEmpty, isOpen]);
  if (isEmpty) return null;
  return (
    <>
      <AriaButton
        className={cx(className, styles.entry)}
        aria-label={t.status.messages.entry(problems.length)}
        aria-haspopup="dialog"
        onPress={() => setOpen(true)}
      >
        <CircleAlert size={18} strokeWidth={1.8} aria-hidden />
        {t.status.messages.title}
        <span className={styles.badge}>{problems.length}</span>
      </AriaButton>
      <MessagesDialog problems={problems} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
};

interface MessagesDialogProps {
  readonly problems: readonly ErrorHistoryEntry[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const MessagesDialog = ({ problems, isOpen, onClose }: MessagesDialogProps) => {
  const { problems: problemStore } = useAppStores();
  const { t } = useLocale();
  const words = t.status.messages;
  return (
    <Dialog
      title={words.title}
      size="wide"
      isOpen={isOpen}
      onClose={onClose}
      answers={<Button onPress={() => void problemStore.forget('all')}>{words.dismissAll}</Button>}
    >
      <p className={styles.hint}>{words.hint}</p>
      <ul className={styles.list} aria-label={words.title}>
        {problems.map((problem) => (
          <ProblemRow key={problem.id} problem={problem} />
        ))}
      </ul>
    </Dialog>
  );
};

const ProblemRow = ({ problem }: { readonly problem: ErrorHistoryEntry }) => {
  const { problems } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const words = t.status.messages;
  const { failure, at, times } = problem;
  const { title, advice } = describe(failure);
  const name = failure.params?.['name'];
  const about = typeof name === 'string' ? name : undefined;
  const when = format.dateTime(new Date(at));
  return (
    <li>
      <Alert
        tone="bad"
        title={title}
        about={about}
        sentences={[advice, times > 1 ? `${when}, ${words.times(times)}` : when]}
        failure={failure}
        dismiss={
          <IconButton
            icon={X}
            label={words.dismissed(about === undefined ? title : `${title}, ${about}`)}
            onPress={() => void problems.forget([problem.id])}
          />
        }
      />
    </li>
  );
};
