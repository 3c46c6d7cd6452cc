/** Files that only the page can read: streamed into the spool in slices, beside the commands. */
import Type, { type Static } from 'typebox';
import { literals } from '../../../api/content.ts';
import { IntakeId, Sha256, SourceToken } from '../../../api/ids.ts';
import { type Command, None } from './command.ts';

const Intake = Type.Object({ id: IntakeId });

/** A picture is a file of the app's own by then, `path`; whoever asked hands it over or removes it. */
const Copied = Type.Union([
  Type.Object({ kind: Type.Literal('files'), paths: Type.Array(Type.String(), { minItems: 1 }) }),
  Type.Object({ kind: Type.Literal('picture'), path: Type.String() }),
  Type.Object({ kind: Type.Literal('text'), text: Type.String() }),
]);
export type Copied = Static<typeof Copied>;

export const intakeCommands = {
  /**
   * Opens an intake: the spool file of a dropped file whose path the host cannot know. `size` in bytes. `folder`: it is a
   * bundle (folder/bundle.ts) of what the page chose of a folder.
   */
  'intake.open': {
    input: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 1_024 }),
      size: Type.Integer({ minimum: 0 }),
      kind: Type.Optional(literals('file', 'folder')),
    }),
    output: Type.Object({ id: IntakeId }),
    from: 'page',
  },
  /** How much has arrived; after a lost connection the page goes on from here. Slices travel beside the commands. */
  'intake.state': { input: Intake, output: Type.Object({ receivedBytes: Type.Integer() }), from: 'page' },
  /** Answers the file's token only if the host's own SHA-256 of what it wrote is the page's. */
  'intake.finish': {
    input: Type.Object({ ...Intake.properties, sha256: Sha256 }),
    output: Type.Object({ token: SourceToken }),
    from: 'page',
  },
  /** Where another process of the person writes a file that the app is to own; it ends in `.part` until it is whole. */
  'intake.folder': { input: None, output: Type.Object({ path: Type.String() }), from: 'owner' },
  /** What was copied where Linkshot runs. */
  'intake.clipboard': { input: None, output: Type.Object({ copied: Copied }), from: 'owner' },
  'intake.abandon': { input: Intake, output: None, from: 'page' },
} as const satisfies Record<string, Command>;
