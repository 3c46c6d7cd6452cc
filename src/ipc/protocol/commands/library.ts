/**
 * Commands of the library: search, find, refresh, import, change, delete and forget published items; read their views,
 * the words in pictures and the files of shared folders; copy, format and open links.
 */
import Type from 'typebox';
import { ContentType, Visibility } from '../../../api/content.ts';
import { Failure } from '../../../api/errors.ts';
import { ItemId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import { literals, Nullable } from '../../../api/nullable-and-literals.ts';
import { ViewsByDay } from '../../../api/views-by-day.ts';
import { LibraryItem } from '../library-item.ts';
import { ItemChange, LinkFormat, LinkTemplate } from '../link-settings.ts';
import { type Command, Ids, None } from './command.ts';

const Instant = Type.Integer({ minimum: 0 });

/** The current item, null when it is deleted or unknown; and why nothing was done, null on success. */
const Answers = Type.Object({
  answers: Type.Array(Type.Object({ id: ItemId, item: Nullable(LibraryItem), failure: Nullable(Failure) })),
});

export const libraryCommands = {
  /**
   * Words of title, tags, file name and a note's text, or of what a picture shows; `inPictures`: only of the latter.
   * Filters narrow; `state` live: its link works.
   */
  'library.search': {
    input: Type.Object({
      text: Type.String(),
      inPictures: Type.Optional(Type.String({ minLength: 1 })),
      cursor: Type.Optional(Type.String()),
      /** Items per reply; 25 by default. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      kinds: Type.Optional(Type.Array(ContentType, { minItems: 1 })),
      visibility: Type.Optional(Visibility),
      state: Type.Optional(literals('live', 'gone', 'protected')),
      /** Published at or after `from`, before `to`. Milliseconds since 1970. */
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      /** Newest first by default. */
      sort: Type.Optional(literals('newest', 'oldest', 'title', 'largest', 'most-viewed')),
    }),
    output: Type.Object({ items: Type.Array(LibraryItem), nextCursor: Nullable(Type.String()), total: Type.Integer() }),
    from: 'page',
  },
  /**
   * Reads the words of pictures that are still to be read, for the search; stops where something is captured, recorded
   * or uploaded. Not `isOn`: the user does not want it.
   */
  'library.readPictures': {
    input: None,
    output: Type.Object({ read: Type.Integer(), pending: Type.Integer(), isOn: Type.Boolean() }),
    from: 'owner',
  },
  /** The item of a link, of the id in it, or of the app's own id; null if this profile has none. */
  'library.find': {
    input: Type.Object({ link: Type.String({ minLength: 1, maxLength: 2_000 }) }),
    output: Type.Object({ item: Nullable(LibraryItem) }),
    from: 'page',
  },
  /** Refreshes the items from the service: views, expiry, deletion. */
  'library.refresh': { input: Ids, output: Answers, from: 'page' },
  /**
   * Changes settings of published items. Errors of each: PLAN_FEATURE_REQUIRED and TOO_MANY_TAGS before anything is
   * changed, NOT_CONNECTED, ACCOUNT_MISMATCH, those of the service.
   */
  'library.update': {
    input: Type.Object({ ...Ids.properties, change: ItemChange }),
    output: Answers,
    from: 'page',
  },
  /**
   * Deletes permanently. `after-undo`: some seconds later, so that `library.undelete` can revert it; quitting before
   * that deletes too. `now`: deleted when this replies. `longer`: restarts the undo period of items whose deletion
   * can still be undone; other items stay unchanged.
   */
  'library.delete': {
    input: Type.Object({ ...Ids.properties, when: literals('now', 'after-undo', 'longer') }),
    output: Answers,
    from: 'page',
  },
  'library.undelete': { input: Ids, output: Answers, from: 'page' },
  /** Removes items from the local library only, without asking the service. For items that are deleted there. */
  'library.forget': { input: Ids, output: None, from: 'page' },
  /**
   * Imports what the active account has published elsewhere. Replies when all of it was read. Errors: NOT_CONNECTED,
   * LIST_ENDLESS, DISK_FULL, those of the service.
   */
  'library.sync': {
    input: None,
    output: Type.Object({ added: Type.Integer(), changed: Type.Integer(), gone: Type.Integer() }),
    from: 'page',
  },
  /**
   * Counted views by day, oldest first, today last. Errors: PLAN_FEATURE_REQUIRED before anything is sent, those of the
   * service.
   */
  'library.views': {
    input: Type.Object({ id: ItemId, days: Type.Integer({ minimum: 1, maximum: LIMITS.viewsByDayMax }) }),
    output: ViewsByDay,
    from: 'page',
  },
  /**
   * The stored files of a shared folder, read from its archive. Sizes in bytes, unpacked. Errors:
   * FOLDER_ARCHIVE_INVALID, those of the service and the network.
   */
  'library.folder': {
    input: Type.Object({ id: ItemId }),
    output: Type.Object({ files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer() })) }),
    from: 'page',
  },
  /** One of them, as text. Errors: NOT_FOUND where the folder has no such file, those of `library.folder`. */
  'library.folderFile': {
    input: Type.Object({ id: ItemId, path: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    output: Type.Object({ text: Type.String() }),
    from: 'page',
  },
  /**
   * Copies the item's link in `linkFormat`, where the host reaches the clipboard; returns link and text in any case.
   */
  'link.copy': {
    input: Type.Object({ id: ItemId, format: Type.Optional(LinkFormat) }),
    output: Type.Object({ url: Type.String(), text: Type.String() }),
    from: 'page',
  },
  /**
   * The links of items as one text, in the given or the configured format. `to` clipboard: copied too, where the host
   * reaches it.
   */
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
  /** Opens the share page in the user's browser. */
  'link.open': { input: Type.Object({ id: ItemId }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
