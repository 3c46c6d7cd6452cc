/**
 * Commands for folders of code before they are shared: a preview of what would be sent, its progress and its
 * cancellation, and the host's folder dialog.
 */
import Type from 'typebox';
import { SourceToken } from '../../../api/ids.ts';
import { Nullable } from '../../../api/nullable-and-literals.ts';
import { FolderPreview, FolderProgress } from '../../../common/folder/folder-preview.ts';
import { type Command, None } from './command.ts';

const Token = Type.Object({ token: SourceToken });

export const folderCommands = {
  /**
   * What sharing the folder would send and what it would exclude; nothing leaves the machine. The token stays valid.
   */
  'folder.preview': { input: Token, output: FolderPreview, from: 'page', by: 'host' },
  /** Progress of a preview; null if none is running. */
  'folder.progress': {
    input: Token,
    output: Type.Object({ progress: Nullable(FolderProgress) }),
    from: 'page',
    by: 'host',
  },
  /** Cancels a running preview, which then fails with CANCELLED. */
  'folder.stop': { input: Token, output: None, from: 'page', by: 'host' },
  /** After its item was cancelled: the folder can be added again. A token that is valid, or unknown, is ignored. */
  'folder.putBack': { input: Token, output: None, from: 'page', by: 'host' },
  /** Shows a folder dialog of the host; null if the user cancels. Only with `capabilities.folders`. */
  'folder.choose': {
    input: None,
    output: Type.Object({ folder: Nullable(Type.Object({ token: SourceToken, name: Type.String() })) }),
    from: 'page',
    by: 'host',
  },
  /**
   * As `folder.preview`, for a folder at a path. Errors: SOURCE_MISSING, SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE,
   * CANCELLED.
   */
  'folder.previewPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }) }),
    output: FolderPreview,
    from: 'owner',
  },
} as const satisfies Record<string, Command>;
