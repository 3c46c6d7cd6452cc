/** Fields for the title, kind and text of a note, with its length and a Markdown preview next to it. */

import { Search, WrapText } from 'lucide-react';
import { useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { PASTE_LANGUAGES, type PasteLanguage } from '../../../api/content.ts';
import type { ItemId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import { NOTE_LANGUAGES } from '../../../common/rendering/code-languages.ts';
import buttons from '../../components/buttons/button.module.css';
import { IconButton } from '../../components/buttons/button.tsx';
import { Picker } from '../../components/fields/picker.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useFileInput } from '../../file-input/file-input.tsx';
import type { Messages } from '../../locales/en.ts';
import { useLocale } from '../../locales/locale.tsx';
import { charactersOf, type Kind, kindOf, linesOf, type WorkState } from './note-editor-state.ts';
import type { NoteEditorStore } from './note-editor-store.ts';
import styles from './note-text-pane.module.css';
import { PreviewPane, type ScrollTo } from './preview-pane.tsx';
import type { CodeEditor } from './text/code-editor.ts';
import { CodeEditorField } from './text/code-editor-field.tsx';

type Choice = 'guessed' | 'plain' | 'markdown' | PasteLanguage;

/** The language `text` is code without highlighting. */
const nameOf = ({ format, language }: Kind, words: Messages['note']): string => {
  if (format !== 'code') return words.formats[format];
  return language === null || language === 'text' ? words.formats.code : NOTE_LANGUAGES[language].label;
};

const kindOfChoice = (choice: Exclude<Choice, 'guessed'>): Kind =>
  choice === 'plain' || choice === 'markdown'
    ? { format: choice, language: null }
    : { format: 'code', language: choice };

interface KindPickerProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly id: ItemId | null;
}

/** Selects format and language of a note; detected from the text until the user chooses. */
const KindPicker = ({ work, state, id }: KindPickerProps) => {
  const { t } = useLocale();
  const kind = kindOf(state);
  const own: Choice = kind.format === 'code' ? (kind.language ?? 'text') : kind.format;
  const options: Choice[] = ['plain', 'markdown', ...PASTE_LANGUAGES];
  const named = options.map((value) => ({
    value,
    title: nameOf(kindOfChoice(value as Exclude<Choice, 'guessed'>), t.note),
  }));
  const guessed = { value: 'guessed' as Choice, title: t.note.guessed(nameOf(state.guessed, t.note)) };
  return (
    <Picker<Choice>
      label={t.note.kind}
      value={state.chosen === null ? 'guessed' : own}
      options={id === null ? [guessed, ...named] : named}
      isActive={false}
      isDisabled={state.sending === 'final'}
      onChange={(choice) => (choice === 'guessed' ? work.guessAgain() : work.choose(kindOfChoice(choice)))}
    />
  );
};

interface NoteTextPaneProps {
  readonly work: NoteEditorStore;
  readonly state: WorkState;
  readonly id: ItemId | null;
  readonly isTabFree: boolean;
  readonly onReady: (field: CodeEditor | null) => void;
  readonly onFind: () => void;
}

export const NoteTextPane = ({ work, state, id, isTabFree, onReady, onFind }: NoteTextPaneProps) => {
  const { takeDropped } = useFileInput();
  const { t } = useLocale();
  const kind = kindOf(state);
  const isMarkdown = kind.format === 'markdown';
  const [isWrapped, setWrapped] = useState<boolean | null>(null);
  const [pane, setPane] = useState<'text' | 'preview'>('text');
  const scrollPreview = useRef<ScrollTo>(null);
  const lines = (isWrapped ?? kind.format !== 'code') ? 'wrapped' : 'long';
  return (
    <div className={styles.writing}>
      <div className={styles.about}>
        <div className={styles.title}>
          <TextField
            label={t.note.title}
            placeholder={t.note.titleHint}
            maxLength={LIMITS.titleMaxCharacters}
            value={state.title}
            isReadOnly={state.isElsewhere || state.sending === 'final'}
            onChange={work.retitle}
            error={null}
          />
        </div>
        <div className={styles.tools}>
          {isMarkdown && (
            <div className={styles.panes}>
              <RadioChoice
                look="segments"
                label={t.note.view}
                value={pane}
                options={[
                  { value: 'text', title: t.note.text },
                  { value: 'preview', title: t.note.preview },
                ]}
                onChange={setPane}
              />
            </div>
          )}
          {!state.isElsewhere && <KindPicker work={work} state={state} id={id} />}
          <TooltipTrigger delay={500}>
            <ToggleButton
              className={cx(buttons.button, buttons.iconOnly, buttons.outline, styles.wrap)}
              aria-label={t.note.wrap}
              isSelected={lines === 'wrapped'}
              onChange={setWrapped}
            >
              <WrapText size={18} aria-hidden />
            </ToggleButton>
            <Tooltip className={cx(buttons.tooltip)} offset={6}>
              {t.note.wrap}
            </Tooltip>
          </TooltipTrigger>
          <IconButton tone="outline" icon={Search} label={t.note.find} onPress={onFind} />
        </div>
      </div>
      <div className={cx(styles.panesOf, isMarkdown && styles.both)} data-shown={isMarkdown ? pane : 'text'}>
        <div className={styles.text}>
          <CodeEditorField
            words={{ label: t.note.text, leave: t.note.leaveHint, empty: t.note.empty, phrases: t.note.phrases }}
            text={state.text}
            kind={kind}
            lines={lines}
            editable={state.isElsewhere || (id === null && state.sending !== 'no') ? 'still' : 'editable'}
            onChange={work.write}
            onDropped={takeDropped}
            onReady={(field) => {
              field?.onScroll((part) => scrollPreview.current?.(part));
              onReady(field);
            }}
          />
        </div>
        {isMarkdown && (
          <div className={styles.preview}>
            <PreviewPane ref={scrollPreview} text={state.text} title={state.title} />
          </div>
        )}
      </div>
      <Foot text={state.text} isTabFree={isTabFree} />
    </div>
  );
};

/** Share of the limit from which it is shown. */
const NEAR = 0.8;

const Foot = ({ text, isTabFree }: { readonly text: string; readonly isTabFree: boolean }) => {
  const { t, format } = useLocale();
  const characters = charactersOf(text);
  const limit = LIMITS.noteMaxCharacters;
  const over = characters - limit;
  const isOver = over > 0;
  const [announced, setAnnounced] = useState({ isOver: false, words: '' });
  // Announced when the limit is exceeded, not again for every further character.
  if (announced.isOver !== isOver) setAnnounced({ isOver, words: isOver ? t.note.tooLong(characters, over) : '' });
  return (
    <footer className={styles.foot}>
      <VisuallyHidden live>{announced.words}</VisuallyHidden>
      {isOver ? (
        <p className={styles.over}>{t.note.tooLong(characters, over)}</p>
      ) : (
        <p>
          {characters > 0 && t.note.length(linesOf(text), characters)}
          {characters > NEAR * limit && ` · ${t.note.left(-over)}`}
          {text !== '' && ` · ${format.bytes(new Blob([text]).size)}`}
        </p>
      )}
      <p className={styles.hint} role="status">
        {isTabFree ? t.note.tabIsFree : t.note.leaveHint}
      </p>
    </footer>
  );
};
