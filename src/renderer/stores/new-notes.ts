/** What a page remembers of its new notes while it is open. */

/** The place of the draft of a new note, which one page writes at a time. */
export interface DraftSlot {
  readonly slot: number;
  /** Lets another page continue the draft. */
  release(): void;
}

export interface NewNotes {
  /** Passwords, which are in no draft, by the ids in their drafts. */
  readonly passwords: Map<string, string>;
  /** The draft that the next editor opens before any other. */
  next: DraftSlot | null;
}
