/** What was published: finding it, changing and deleting it, and its links. Many items at once are answered one by one. */
import Type from 'typebox';
import { ContentType, literals, Nullable, Visibility } from '../../../api/content.ts';
import { Failure } from '../../../api/errors.ts';
import { ItemId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import { ViewsByDay } from '../../../api/lists.ts';
import { ItemChange, LinkFormat, LinkTemplate } from '../link-settings.ts';
import { LibraryItem } from '../state.ts';
import { type Command, Ids, None } from './command.ts';

const Instant = Type.Integer({ minimum: 0 });

/** The item as it is now, null when it is gone or unknown; and why nothing was done, null where it was. */
const Answers = Type.Object({
  answers: Type.Array(Type.Object({ id: ItemId, item: Nullable(LibraryItem), failure: Nullable(Failure) })),
});

export const libraryCommands = {
  /** Words of title, tags, file name and a note's text. Filters narrow; `state` live: its link leads somewhere. */
  'library.search': {
    input: Type.Object({
      text: Type.String(),
      cursor: Type.Optional(Type.String()),
      /** Items of one answer; 25 where nothing is said. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      kinds: Type.Optional(Type.Array(ContentType, { minItems: 1 })),
      visibility: Type.Optional(Visibility),
      state: Type.Optional(literals('live', 'gone', 'protected')),
      /** Published at or after `from`, before `to`. Milliseconds since 1970. */
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      /** Newest first where nothing is said. */
      sort: Type.Optional(literals('newest', 'oldest', 'title', 'largest', 'most-viewed')),
    }),
    output: Type.Object({ items: Type.Array(LibraryItem), nextCursor: Nullable(Type.String()), total: Type.Integer() }),
    from: 'page',
  },
  /** The item that a link, the id in it, or the app's own id means; null where this profile knows none. */
  'library.find': {
    input: Type.Object({ link: Type.String({ minLength: 1, maxLength: 2_000 }) }),
    output: Type.Object({ item: Nullable(LibraryItem) }),
    from: 'page',
  },
  /** Asks the service how the items are now: views, expiry, gone ones. */
  'library.refresh': { input: Ids, output: Answers, from: 'page' },
  /** Changes settings of published items. A missing plan feature, and a tag too many, is told before anything is changed. */
  'library.update': {
    input: Type.Object({ ...Ids.properties, change: ItemChange }),
    output: Answers,
    from: 'page',
  },
  /**
   * Deletes for good. `after-undo`: some seconds later, so that `library.undelete` can take it back; a quit before that
   * carries it out. `now`: when this has answered, it is done. `longer`: what is being deleted can be taken back for all
   * of that time once more; what is not, or not any more, stays as it is.
   */
  'library.delete': {
    input: Type.Object({ ...Ids.properties, when: literals('now', 'after-undo', 'longer') }),
    output: Answers,
    from: 'page',
  },
  'library.undelete': { input: Ids, output: Answers, from: 'page' },
  /** Takes items out of the library alone: the service is not asked. For those that are gone. */
  'library.forget': { input: Ids, output: None, from: 'page' },
  /** Takes over what the account has published elsewhere. Resolves when all of it was read. */
  'library.sync': {
    input: None,
    output: Type.Object({ added: Type.Integer(), changed: Type.Integer(), gone: Type.Integer() }),
    from: 'page',
  },
  /** Counted views by day, the oldest first, today last. Needs a plan with that feature. */
  'library.views': {
    input: Type.Object({ id: ItemId, days: Type.Integer({ minimum: 1, maximum: LIMITS.viewsByDayMax }) }),
    output: ViewsByDay,
    from: 'page',
  },
  /** The files of a shared folder, as they are stored. Sizes in bytes, unpacked. */
  'library.folder': {
    input: Type.Object({ id: ItemId }),
    output: Type.Object({ files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer() })) }),
    from: 'page',
  },
  'library.folderFile': {
    input: Type.Object({ id: ItemId, path: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    output: Type.Object({ text: Type.String() }),
    from: 'page',
  },
  /** Copies the item's link, as `linkFormat` says, where the host reaches the clipboard; answers link and text either way. */
  'link.copy': {
    input: Type.Object({ id: ItemId, format: Type.Optional(LinkFormat) }),
    output: Type.Object({ url: Type.String(), text: Type.String() }),
    from: 'page',
  },
  /** The links of items as one text, in the format asked or set. `to` clipboard: copied too, where the host reaches it. */
  'link.format': {
    input: Type.Object({
      ...Ids.properties,
      format: Type.Optional(LinkFormat),
      template: Type.Optional(LinkTemplate),
      to: Type.Optional(literals('answer', 'clipboard')),
    }),
    output: Type.Object({ text: Type.String() }),
    from: 'page',
  },
  /** Opens the share page in the person's browser. */
  'link.open': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
