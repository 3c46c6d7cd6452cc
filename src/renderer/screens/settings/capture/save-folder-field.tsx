/** Folder for saved captures; empty means the user's pictures folder. Saved on blur. */

import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { SavedMark, useSaved } from '../saved-mark.tsx';
import styles from './capture-fields.module.css';

/** An absolute path: Unix, Windows drive or UNC. */
const isAbsolute = (path: string): boolean => /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

export const SaveFolderField = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const more = t.settingsMore.advanced;
  const canShow = useApp(({ capabilities }) => capabilities.fileManager);
  const stored = useApp(({ settings }) => settings.saveFolder);
  const [text, setText] = useFieldDraft(stored ?? '');
  const [isWrong, setWrong] = useState(false);
  const [isSaved, reportSaved] = useSaved();
  const save = () => {
    const path = text.trim();
    const isRight = path === '' || isAbsolute(path);
    setWrong(!isRight);
    if (isRight && path !== (stored ?? ''))
      void engine.updateSettings({ saveFolder: path === '' ? null : path }).then(reportSaved);
  };
  return (
    <div className={styles.field}>
      <TextField
        label={words.folder}
        name="saveFolder"
        autoComplete="off"
        placeholder={words.folderDefault}
        value={text}
        onChange={setText}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
        error={isWrong ? words.folderRelative : null}
        aside={
          <>
            <SavedMark isSaved={isSaved} />
            {canShow && (
              <>
                <Button onPress={() => void engine.run('settings.chooseSaveFolder', {})}>{more.choose}</Button>
                <IconButton
                  icon={FolderOpen}
                  label={more.openNamed(words.folder)}
                  onPress={() => void engine.run('profile.openFolder', { folder: 'captures' })}
                />
              </>
            )}
          </>
        }
      />
      <p className={styles.hint}>{words.folderHint}</p>
    </div>
  );
};
