/**
 * Commands for files that a page or another process of the user sends to the app, and for what is on the clipboard. The
 * bytes of a page's file travel separately, in slices.
 */
import Type, { type Static } from 'typebox';
import { IntakeId, Sha256, SourceToken } from '../../../api/ids.ts';
import { literals } from '../../../api/nullable-and-literals.ts';
import { type Command, None } from './command.ts';

const Intake = Type.Object({ id: IntakeId });

/** A picture is a file of the app at `path`; the caller passes it on or removes it. */
const Copied = Type.Union([
  Type.Object({ kind: Type.Literal('files'), paths: Type.Array(Type.String(), { minItems: 1 }) }),
  Type.Object({ kind: Type.Literal('picture'), path: Type.String() }),
  Type.Object({ kind: Type.Literal('text'), text: Type.String() }),
]);
export type Copied = Static<typeof Copied>;

export const incomingFileCommands = {
  /**
   * Opens an upload to the spool: for a dropped file whose path the host cannot know. `size` in bytes. `folder`: it is
   * a bundle (folder/bundle-format.ts) of the files that the page selected from a folder.
   */
  'intake.open': {
    input: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 1_024 }),
      size: Type.Integer({ minimum: 0 }),
      kind: Type.Optional(literals('file', 'folder')),
    }),
    output: Type.Object({ id: IntakeId }),
    from: 'page',
    by: 'host',
  },
  /** How much has arrived; after a lost connection the page continues from here. Slices travel separately. */
  'intake.state': { input: Intake, output: Type.Object({ receivedBytes: Type.Integer() }), from: 'page', by: 'host' },
  /** Returns the file's token only if the host's SHA-256 of the written bytes equals the page's. */
  'intake.finish': {
    input: Type.Object({ ...Intake.properties, sha256: Sha256 }),
    output: Type.Object({ token: SourceToken }),
    from: 'page',
    by: 'host',
  },
  /**
   * The folder in which another process of the user writes a file that the app is to own; the name ends in `.part`
   * until it is complete.
   */
  'intake.folder': { input: None, output: Type.Object({ path: Type.String() }), from: 'owner', by: 'host' },
  /**
   * The clipboard of the computer where Linkshot runs: files, else an image, else text that can be a note. Errors:
   * NOTE_EMPTY where there is nothing of these, NOTE_TOO_LONG, COMMAND_INVALID where this host has no clipboard,
   * APP_FAILED where it cannot be read, DISK_FULL.
   */
  'intake.clipboard': { input: None, output: Type.Object({ copied: Copied }), from: 'owner' },
  'intake.abandon': { input: Intake, output: None, from: 'page', by: 'host' },
  /** Makes a token invalid that was not used, and removes the streamed copy; a file that the user has named stays. */
  'intake.release': { input: Type.Object({ token: SourceToken }), output: None, from: 'page', by: 'host' },
} as const satisfies Record<string, Command>;
