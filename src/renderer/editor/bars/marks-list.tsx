/**
 * Lists all marks by name, for screen readers and for marks covered by others, with buttons that select, duplicate and
 * remove them.
 */

import { Copy, ListTree, Trash2 } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { DialogTrigger } from 'react-aria-components/Dialog';
import { useStore } from 'zustand';
import button from '../../components/buttons/button.module.css';
import { IconButton } from '../../components/buttons/button.tsx';
import { Popover } from '../../components/overlays/popover.tsx';
import { cx } from '../../design/class-names.ts';
import type { EditorSession } from '../../drawing/editor-session.ts';
import { useLocale } from '../../locales/locale.tsx';
import { nameOf } from '../mark-names.ts';
import styles from './marks-list.module.css';

export const MarksList = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const count = useStore(session.store, ({ history }) => history.present.marks.length);
  return (
    <DialogTrigger>
      <AriaButton
        className={cx(button.button, button.quiet, styles.opener)}
        aria-label={`${t.editor.marks}: ${t.editor.marksCount(count)}`}
      >
        <ListTree size={18} aria-hidden />
        {count > 0 && <span className={styles.count}>{count}</span>}
      </AriaButton>
      <Popover label={t.editor.marks} placement="bottom end">
        <List session={session} />
      </Popover>
    </DialogTrigger>
  );
};

const List = ({ session }: { readonly session: EditorSession }) => {
  const locale = useLocale();
  const { t } = locale;
  const document = useStore(session.store, ({ history }) => history.present);
  const selected = useStore(session.store, (state) => state.selected);
  if (document.marks.length === 0) return <p className={styles.none}>{t.editor.marksNone}</p>;
  return (
    <ul className={styles.list} aria-label={t.editor.marks}>
      {document.marks.toReversed().map((mark) => {
        const name = nameOf(mark, document, locale);
        return (
          <li key={mark.id} className={cx(styles.row, mark.id === selected && styles.selected)}>
            <AriaButton
              className={cx(styles.name)}
              aria-pressed={mark.id === selected}
              onPress={() => session.select(mark.id)}
            >
              {name}
            </AriaButton>
            <IconButton icon={Copy} label={t.editor.duplicateMark(name)} onPress={() => session.duplicate(mark.id)} />
            <IconButton icon={Trash2} label={t.editor.removeMark(name)} onPress={() => session.remove(mark.id)} />
          </li>
        );
      })}
    </ul>
  );
};
