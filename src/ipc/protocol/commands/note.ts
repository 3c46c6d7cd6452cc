/** Notes: publishing text, reading and editing it. */
import Type from 'typebox';
import { literals, Nullable, PasteFormat, PasteLanguage } from '../../../api/content.ts';
import { Failure } from '../../../api/errors.ts';
import { ItemId, SourceToken } from '../../../api/ids.ts';
import { NoteText } from '../../../api/note.ts';
import { DraftSlot, NewNote, NoteDraft, NoteTitle } from '../draft.ts';
import { LinkSettings } from '../link-settings.ts';
import { Awaited } from '../queue-item.ts';
import { LibraryItem } from '../state.ts';
import { type Command, Ids, None } from './command.ts';

/** What is not said is guessed, from the name first and then from the text. */
const Kind = { format: Type.Optional(PasteFormat), language: Type.Optional(Nullable(PasteLanguage)) } as const;
const Name = Type.String({ maxLength: 1_024 });
/** `revision`: the one that was read and is edited. What is left out stays as it is. */
const Edit = {
  ...{ id: ItemId, text: Type.String(), revision: Type.Integer({ minimum: 1 }), title: Type.Optional(NoteTitle) },
  ...Kind,
} as const;

const Slot = Type.Object({ slot: Type.Optional(DraftSlot) });

export const noteCommands = {
  /** From here on the text is safe in the queue. `name`: of the file it came from, if any. */
  'note.add': {
    input: Type.Object({
      text: Type.String(),
      name: Type.Optional(Name),
      share: Type.Optional(LinkSettings),
      awaited: Type.Optional(Awaited),
      ...Kind,
    }),
    output: Type.Object({ id: ItemId }),
    from: 'page',
  },
  /** Files whose text is to become notes. */
  'note.addFiles': {
    input: Type.Object({ tokens: Type.Array(SourceToken, { minItems: 1 }), share: Type.Optional(LinkSettings) }),
    output: Ids,
    from: 'page',
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
   * The text as the service has it now, and what was typed here and has not reached it. `orElse` remembered: where the
   * service does not answer with it, the text that was seen last, and why in `unread`.
   */
  'note.read': {
    input: Type.Object({ id: ItemId, orElse: Type.Optional(literals('remembered')) }),
    output: Type.Object({ note: NoteText, draft: Nullable(NoteDraft), unread: Nullable(Failure) }),
    from: 'page',
  },
  /**
   * Saves an edit; first as a draft, which stays until the service has it. Whoever edited meanwhile is a conflict, not a
   * failure: naming their revision overwrites theirs. `base` is what both began with, null where it is not known here.
   */
  'note.edit': {
    input: Type.Object(Edit),
    output: Type.Union([
      Type.Object({ outcome: literals('saved'), item: LibraryItem }),
      Type.Object({ outcome: literals('conflict'), mine: NoteDraft, theirs: NoteText, base: Nullable(Type.String()) }),
    ]),
    from: 'page',
  },
  /** Keeps what is being typed, without sending it. */
  'note.saveDraft': { input: Type.Object(Edit), output: None, from: 'page' },
  'note.dropDraft': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
  /** A note that is being written and was not published, and where such notes are kept. Without a slot it is the first. */
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
