/** Link settings of a note: visibility, expiry, views and password. */

import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../components/buttons/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { LinkOptions, type LinkOptionsValue } from '../../components/links/link-options.tsx';
import { resolvedShare } from '../../editor/export-actions.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './link-settings.module.css';
import type { NoteEditorStore } from './note-editor-store.ts';
import { isPassword, type WorkState } from './note-state.ts';

interface LinkSettingsProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly planned: LinkOptionsValue;
}

export const LinkSettings = ({ work, state: { share, password }, planned }: LinkSettingsProps) => {
  const { t } = useLocale();
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.settings}>
      <h2>{t.note.link}</h2>
      <LinkOptions value={planned} onChange={(change) => work.setShare(resolvedShare(share, change, planned))} />
      <TextField
        label={t.note.password}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        placeholder={t.note.passwordNone}
        value={password}
        onChange={work.setPassword}
        error={password === '' || isPassword(password) ? null : t.note.passwordShort}
        aside={
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? t.note.passwordHide : t.note.passwordShow}
            onPress={() => setShown(!isShown)}
          />
        }
      />
      <p className={styles.hint}>{t.note.passwordHint}</p>
    </div>
  );
};
