/**
 * State of a note in the editor, and values derived from it, such as why it cannot be sent and the number of its
 * characters and lines as the service counts them. Pure.
 */
import type { Content, PasteFormat, PasteLanguage, ShareFields, Ttl } from '../../../api/content.ts';
import { type Failure, retryOf } from '../../../api/errors.ts';
import { LIMITS, TTL_MS } from '../../../api/limits.ts';
import type { NoteText } from '../../../api/note.ts';
import { isValidPassword } from '../../../api/password-rules.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import type { NoteDraft } from '../../../ipc/protocol/note-draft.ts';

export interface Kind {
  readonly format: PasteFormat;
  /** Null for every format but code. */
  readonly language: PasteLanguage | null;
}

/** The editable content of a note. */
export interface Written {
  readonly title: string;
  readonly text: string;
  /** Null: use `guessed`. */
  readonly chosen: Kind | null;
}

/** Whether the current text is on disk; `not`: why not. */
type SaveState =
  | { readonly is: 'nothing' | 'saving' | 'saved' }
  | { readonly is: 'not'; readonly failure: Failure | null };

/** The password of a new note. */
interface Protection {
  readonly password: string;
  /** The draft had a password, which is not known any more: the user must decide before the note is published. */
  readonly isPasswordLost: boolean;
}

/** A replaced version that can be restored. */
interface ReplacedVersion extends Written, Partial<Protection> {
  readonly why: 'discarded' | 'mine' | 'theirs';
}

/** What failed, and is tried again where the user asks for it. `moving`: to a new note. */
export interface NoteError {
  readonly in: 'reading' | 'sending' | 'moving';
  readonly failure: Failure;
}

export interface Conflict {
  readonly mine: NoteDraft;
  readonly theirs: NoteText;
  /** The merged text that will be saved. */
  readonly merged: string;
}

export interface WorkState extends Written, Protection {
  /** `lost`: nothing can be shown; `error` says why. */
  readonly stage: 'opening' | 'writing' | 'comparing' | 'lost';
  /** Another page edits it, or an edit that was left here is still being saved: it is shown and cannot be changed. */
  readonly isElsewhere: boolean;
  /** Null: a new note. */
  readonly item: LibraryItem | null;
  readonly guessed: Kind;
  /** Only values that differ from the settings. */
  readonly share: ShareFields;
  readonly kept: SaveState;
  /** The text was restored from an earlier visit. */
  readonly isRestored: boolean;
  /** `final`: a new note is being published, and a change has no effect any more. */
  readonly sending: 'no' | 'yes' | 'final';
  readonly isSaved: boolean;
  readonly error: NoteError | null;
  readonly conflict: Conflict | null;
  readonly aside: ReplacedVersion | null;
}

export const PLAIN: Kind = { format: 'plain', language: null };
export const EMPTY: Written = { title: '', text: '', chosen: null };
export const UNPROTECTED: Protection = { password: '', isPasswordLost: false };
export const OPENING: WorkState = {
  ...{
    ...EMPTY,
    ...UNPROTECTED,
    stage: 'opening',
    isElsewhere: false,
    item: null,
    guessed: PLAIN,
    share: {},
    kept: { is: 'nothing' },
  },
  ...{ isRestored: false, sending: 'no', isSaved: false, error: null, conflict: null, aside: null },
};

export const kindOf = ({ chosen, guessed }: Pick<WorkState, 'chosen' | 'guessed'>): Kind => chosen ?? guessed;
export const isGone = ({ code }: Failure): boolean =>
  code === 'SHARE_UNAVAILABLE' || code === 'NOT_FOUND' || code === 'CONTENT_GONE';
export const isPassing = (why: Failure): boolean => retryOf(why.code) === 'backoff' || retryOf(why.code) === 'wait';

const isSameKind = (one: Kind | null, other: Kind | null): boolean =>
  one?.format === other?.format && one?.language === other?.language;
export const isSame = (one: Written, other: Written): boolean =>
  one.text === other.text && one.title === other.title && isSameKind(one.chosen, other.chosen);

/**
 * Link settings of a new note with the text of this one: only those who could open this one can open it, and not for
 * longer. A new note has neither a view limit nor a lifetime below a day: where this one had, it is private until the user
 * decides.
 */
export const settingsOfSuccessor = ({
  visibility,
  oneTime,
  viewLimit,
  createdAt,
  expiresAt,
}: Content): Pick<ShareFields, 'visibility' | 'ttl' | 'oneTime'> => {
  const ttl = expiresAt == null ? 'forever' : longestWithin(Date.parse(expiresAt) - Date.parse(createdAt));
  return {
    visibility: viewLimit == null && ttl !== null ? visibility : 'private',
    oneTime,
    ...(ttl !== 'forever' && { ttl: ttl ?? 'day' }),
  };
};

/** A minute more or less: the service may have counted from another moment. */
const TTL_TOLERANCE_MS = 60_000;

/** Null: shorter than each. */
const longestWithin = (ms: number): Ttl | null =>
  (['month', 'week', 'day'] as const).find((ttl) => TTL_MS[ttl] <= ms + TTL_TOLERANCE_MS) ?? null;

/** The text that is published: during a comparison the merged one. */
export const sentText = ({ text, conflict }: Pick<WorkState, 'text' | 'conflict'>): string => conflict?.merged ?? text;

/** Why the note cannot be sent in its current state; null: it can. */
export const hindranceOf = ({
  password,
  isPasswordLost,
  ...state
}: Pick<WorkState, 'text' | 'conflict' | keyof Protection>): 'empty' | 'too-long' | 'password' | null => {
  const sent = sentText(state);
  if (sent === '') return 'empty';
  if (charactersOf(sent) > LIMITS.noteMaxCharacters) return 'too-long';
  if (isPasswordLost) return 'password';
  return password === '' || isValidPassword(password) ? null : 'password';
};

/** Counts code points: a character above U+FFFF takes two UTF-16 units. */
export const charactersOf = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) pairs += 1;
  }
  return text.length - pairs;
};

/** An empty text has 0 lines; a trailing line break does not start a new line. */
export const linesOf = (text: string): number => {
  if (text === '') return 0;
  const ends = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return /[\r\n]$/.test(text) ? ends : ends + 1;
};
