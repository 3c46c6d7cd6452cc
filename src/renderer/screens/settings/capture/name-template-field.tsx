/** File name template of captures, with a preview of the next name. Saved on blur. */

import { nameBy } from '../../../../ipc/protocol/capture-name.ts';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { SavedMark, useSaved } from '../saved-mark.tsx';
import styles from './capture-fields.module.css';

const BLANKS = ['{date}', '{time}', '{mode}', '{width}', '{height}', '{title}', '{n}'];
const CHARACTERS_MAX = 200;

export const NameTemplateField = () => {
  const { engine, now } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const stored = useApp(({ settings }) => settings.nameTemplate);
  const [text, setText] = useFieldDraft(stored);
  const [isSaved, reportSaved] = useSaved();
  const problem = text.trim() === '' ? words.templateEmpty : text.length > CHARACTERS_MAX ? words.templateLong : null;
  const sample = { at: now(), mode: 'window', width: 1280, height: 720, title: words.sampleTitle, n: 7 } as const;
  const save = () => {
    if (problem === null && text !== stored) void engine.updateSettings({ nameTemplate: text }).then(reportSaved);
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
