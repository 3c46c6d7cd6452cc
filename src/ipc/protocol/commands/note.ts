/** Commands of notes: publish, read and edit them, keep drafts of unsent text, and guess the format of a text. */
import Type from 'typebox';
import { PasteFormat, PasteLanguage } from '../../../api/content.ts';
import { Failure } from '../../../api/errors.ts';
import { ItemId, SourceToken } from '../../../api/ids.ts';
import { NoteText } from '../../../api/note.ts';
import { literals, Nullable } from '../../../api/nullable-and-literals.ts';
import { LibraryItem } from '../library-item.ts';
import { LinkSettings } from '../link-settings.ts';
import { DraftSlot, NewNote, NoteDraft, NoteTitle } from '../note-draft.ts';
import { PrintPendingFlag } from '../queue-item.ts';
import { type Command, Ids, None } from './command.ts';

/** Omitted values are detected, from the name first and then from the text. */
const Kind = { format: Type.Optional(PasteFormat), language: Type.Optional(Nullable(PasteLanguage)) } as const;
const Name = Type.String({ maxLength: 1_024 });
/** `revision`: the one that was read and is edited. Omitted fields stay unchanged. */
const Edit = {
  ...{ id: ItemId, text: Type.String(), revision: Type.Integer({ minimum: 1 }), title: Type.Optional(NoteTitle) },
  ...Kind,
} as const;

const Slot = Type.Object({ slot: Type.Optional(DraftSlot) });

export const noteCommands = {
  /**
   * Replies once the text is persisted in the queue. `name`: of the file it came from, if any. Errors: NOTE_EMPTY,
   * NOTE_TOO_LONG, those of `queue.addPaths`.
   */
  'note.add': {
    input: Type.Object({
      text: Type.String(),
      name: Type.Optional(Name),
      share: Type.Optional(LinkSettings),
      printPending: Type.Optional(PrintPendingFlag),
      ...Kind,
    }),
    output: Type.Object({ id: ItemId }),
    from: 'page',
  },
  /** Publishes the text of files as notes, all or nothing. Errors: as `note.add`, SOURCE_*, NOTE_NOT_TEXT. */
  'note.addFiles': {
    input: Type.Object({ tokens: Type.Array(SourceToken, { minItems: 1 }), share: Type.Optional(LinkSettings) }),
    output: Ids,
    from: 'page',
    by: 'host',
  },
  'note.addPaths': {
    input: Type.Object({
      paths: Type.Array(Type.String(), { minItems: 1 }),
      share: Type.Optional(LinkSettings),
      ...Kind,
    }),
    output: Ids,
    from: 'owner',
  },
  'note.guess': {
    input: Type.Object({ text: Type.String(), name: Type.Optional(Name) }),
    output: Type.Object({ format: PasteFormat, language: Nullable(PasteLanguage) }),
    from: 'page',
  },
  /**
   * The text as the service has it now, and local edits that have not reached it. `orElse` remembered: if the service
   * does not answer with it, the last known text, with the reason in `unread`.
   */
  'note.read': {
    input: Type.Object({ id: ItemId, orElse: Type.Optional(literals('remembered')) }),
    output: Type.Object({ note: NoteText, draft: Nullable(NoteDraft), unread: Nullable(Failure) }),
    from: 'page',
  },
  /**
   * Saves an edit; first as a draft, which is kept until the service has it. A concurrent edit is a conflict, not an
   * error: naming its revision overwrites it. `base` is the common ancestor, null if unknown here. `draft` leave: for a
   * text that is kept elsewhere, as in a file; what the user has typed in the window stays the draft.
   */
  'note.edit': {
    input: Type.Object({ ...Edit, draft: Type.Optional(literals('leave')) }),
    output: Type.Union([
      Type.Object({ outcome: literals('saved'), item: LibraryItem }),
      Type.Object({ outcome: literals('conflict'), mine: NoteDraft, theirs: NoteText, base: Nullable(Type.String()) }),
    ]),
    from: 'page',
  },
  /** Persists the typed text without sending it. Errors: DISK_FULL. */
  'note.saveDraft': { input: Type.Object(Edit), output: None, from: 'page' },
  'note.dropDraft': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
  /** The unpublished new note of a slot, and where such notes are kept. Without a slot: the first one. */
  'note.unpublished': {
    input: Slot,
    output: Type.Object({ draft: Nullable(NewNote), kept: Type.Array(DraftSlot) }),
    from: 'page',
  },
  'note.saveUnpublished': {
    input: Type.Object({ ...NewNote.properties, ...Slot.properties }),
    output: None,
    from: 'page',
  },
  'note.dropUnpublished': { input: Slot, output: None, from: 'page' },
} as const satisfies Record<string, Command>;
