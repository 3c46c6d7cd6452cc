/** Folders of code, before they are shared. */
import Type from 'typebox';
import { FolderPreview } from '../folder/preview.ts';
import { SourceToken } from '../ids.ts';
import type { Command } from './command.ts';

export const folderCommands = {
  /** What sharing the folder would send and what would stay out; nothing leaves the machine. The token stays good. */
  'folder.preview': { input: Type.Object({ token: SourceToken }), output: FolderPreview, from: 'page' },
  'folder.previewPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }) }),
    output: FolderPreview,
    from: 'owner',
  },
} as const satisfies Record<string, Command>;
