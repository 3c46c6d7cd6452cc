/** Selects format and language of a note; detected from the text until the user chooses. */

import type { PasteLanguage } from '../../../api/content.ts';
import { PASTE_LANGUAGES } from '../../../api/content.ts';
import type { ItemId } from '../../../api/ids.ts';
import { NOTE_LANGUAGES } from '../../../common/rendering/languages.ts';
import { Picker } from '../../components/fields/picker.tsx';
import type { Messages } from '../../locales/en.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { NoteEditorStore } from './note-editor-store.ts';
import { type Kind, kindOf, type WorkState } from './note-state.ts';

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

export const KindPicker = ({ work, state, id }: KindPickerProps) => {
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
      onChange={(choice) => (choice === 'guessed' ? work.guessAgain() : work.choose(kindOfChoice(choice)))}
    />
  );
};
