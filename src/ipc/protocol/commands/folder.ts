/** Folders of code, before they are shared. */
import Type from 'typebox';
import { Nullable } from '../../../api/content.ts';
import { SourceToken } from '../../../api/ids.ts';
import { FolderPreview, FolderProgress } from '../../../common/folder/preview.ts';
import { type Command, None } from './command.ts';

const Token = Type.Object({ token: SourceToken });

export const folderCommands = {
  /** What sharing the folder would send and what would stay out; nothing leaves the machine. The token stays good. */
  'folder.preview': { input: Token, output: FolderPreview, from: 'page' },
  /** How far a preview is; null: none is being made. */
  'folder.progress': { input: Token, output: Type.Object({ progress: Nullable(FolderProgress) }), from: 'page' },
  /** Gives up a preview that is being made: it answers CANCELLED. */
  'folder.stop': { input: Token, output: None, from: 'page' },
  /** Asks the person for a folder in a dialog of the host; null where it was left. Only with `capabilities.folders`. */
  'folder.choose': {
    input: None,
    output: Type.Object({ folder: Nullable(Type.Object({ token: SourceToken, name: Type.String() })) }),
    from: 'page',
  },
  'folder.previewPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }) }),
    output: FolderPreview,
    from: 'owner',
  },
} as const satisfies Record<string, Command>;
