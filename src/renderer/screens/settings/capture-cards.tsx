/** The cards of the settings section Capture: how screenshots are taken, and what happens after one. */

import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { AfterCapture } from '../../../ipc/protocol/capture.ts';
import { nameBy } from '../../../ipc/protocol/capture-name.ts';
import { Alert } from '../../components/alert.tsx';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Toggle } from '../../components/fields/toggle.tsx';
import { useFieldDraft } from '../../components/fields/use-field-draft.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './capture-fields.module.css';
import { SavedMark, useSavedSettings } from './saved-mark.tsx';
import { secondsChoices } from './seconds-choices.ts';
import { SettingCard } from './setting-card.tsx';

const DELAYS = [0, 3, 5, 10];

/** Screenshot settings. */
export const CaptureSettingsCard = () => {
  const { editedCopies, engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.captureSettings;
  const delay = useApp(({ settings }) => settings.captureDelaySeconds);
  const pointer = useApp(({ settings }) => settings.capturePointer);
  const edit = useApp(({ settings }) => settings.editAfterCapture);
  const copies = useApp(({ settings }) => settings.copyWhileEditing);
  const isByHost = useApp(({ capabilities }) => capabilities.clipboard === 'host');
  return (
    <SettingCard id="captures" title={words.card}>
      <RadioChoice
        look="segments"
        label={words.delay}
        value={String(delay)}
        options={secondsChoices(DELAYS, delay).map((value) => ({
          value: String(value),
          title: value === 0 ? words.delayNone : words.seconds(format.number(value)),
        }))}
        onChange={(value) => void engine.updateSettings({ captureDelaySeconds: Number(value) })}
      />
      <Toggle
        label={words.pointer}
        hint={words.pointerHint}
        isOn={pointer === 'show'}
        onChange={(isOn) => void engine.updateSettings({ capturePointer: isOn ? 'show' : 'hide' })}
      />
      <Toggle
        label={words.edit}
        hint={words.editHint}
        isOn={edit}
        onChange={(isOn) => void engine.updateSettings({ editAfterCapture: isOn })}
      />
      {editedCopies.canCopy() && (
        <Toggle
          label={words.copyWhileEditing}
          hint={[words.copyWhileEditingHint, ...(isByHost ? [] : [words.copyWhileEditingByPage])].join(' ')}
          isOn={copies}
          onChange={(isOn) => void engine.updateSettings({ copyWhileEditing: isOn })}
        />
      )}
    </SettingCard>
  );
};

const BLANKS = ['{date}', '{time}', '{mode}', '{width}', '{height}', '{title}', '{n}'];
const CHARACTERS_MAX = 200;

/** File name template of captures, with a preview of the next name. Saved on blur. */
const NameTemplateField = () => {
  const { now } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const stored = useApp(({ settings }) => settings.nameTemplate);
  const [text, setText] = useFieldDraft(stored);
  const [isSaved, store] = useSavedSettings();
  const problem = text.trim() === '' ? words.templateEmpty : text.length > CHARACTERS_MAX ? words.templateLong : null;
  const sample = { at: now(), mode: 'window', width: 1280, height: 720, title: words.sampleTitle, n: 7 } as const;
  const save = () => {
    if (problem === null && text !== stored) store({ nameTemplate: text });
  };
  return (
    <div className={styles.field}>
      <TextField
        label={words.template}
        name="nameTemplate"
        autoComplete="off"
        value={text}
        onChange={setText}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
        error={problem}
        aside={<SavedMark isSaved={isSaved} />}
      />
      {problem === null && (
        <p className={styles.preview} aria-live="polite">
          {words.preview(`${nameBy(text, sample)}.png`)}
        </p>
      )}
      <p className={styles.hint}>
        {words.templateHint} <code>{BLANKS.join(' ')}</code>
      </p>
    </div>
  );
};

/** An absolute path: Unix, Windows drive or UNC. */
const isAbsolute = (path: string): boolean => /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);

/** Folder for saved captures; empty means the user's pictures folder. Saved on blur. */
const SaveFolderField = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const more = t.settingsMore.advanced;
  const canShow = useApp(({ capabilities }) => capabilities.fileManager);
  const stored = useApp(({ settings }) => settings.saveFolder);
  const [text, setText] = useFieldDraft(stored ?? '');
  const [isWrong, setWrong] = useState(false);
  const [isSaved, store] = useSavedSettings();
  const save = () => {
    const path = text.trim();
    const isRight = path === '' || isAbsolute(path);
    setWrong(!isRight);
    if (isRight && path !== (stored ?? '')) store({ saveFolder: path === '' ? null : path });
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

/** Actions after a screenshot, and where and under which name it is saved. */
export const AfterCaptureCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const after = useApp(({ settings }) => settings.afterCapture);
  const set = (change: Partial<AfterCapture>) => void engine.updateSettings({ afterCapture: { ...after, ...change } });
  const isNothing = !after.publish && !after.copyPicture && !after.save;
  return (
    <SettingCard id="afterCapture" title={words.after}>
      <Toggle
        label={words.publish}
        hint={words.publishHint}
        isOn={after.publish}
        onChange={(publish) => set({ publish })}
      />
      <Toggle
        label={words.copyPicture}
        hint={words.copyPictureHint}
        isOn={after.copyPicture}
        onChange={(copyPicture) => set({ copyPicture })}
      />
      <Toggle label={words.save} hint={words.saveHint} isOn={after.save} onChange={(save) => set({ save })} />
      {isNothing && <Alert tone="plain" title={words.nothing} sentences={[words.nothingAdvice]} />}
      {(after.save || isNothing) && <SaveFolderField />}
      <NameTemplateField />
    </SettingCard>
  );
};
