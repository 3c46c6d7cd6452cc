/** Commands that preview how a video or image is converted to fit the service's limits. */
import Type from 'typebox';
import { SourceToken } from '../../../api/ids.ts';
import { Nullable } from '../../../api/nullable-and-literals.ts';
import { ConversionPreview } from '../prepared-file.ts';
import { FitChoice } from '../queue-item.ts';
import type { Command } from './command.ts';

/** `fit` null: no choice yet, so the one of the settings. */
const Choice = { fit: Nullable(FitChoice) } as const;

export const fitCommands = {
  /**
   * The result of fitting the file to the active account; for a video, also how long it would take. The token stays
   * valid.
   */
  'fit.preview': {
    input: Type.Object({ token: SourceToken, ...Choice }),
    output: ConversionPreview,
    from: 'page',
    by: 'host',
  },
  /**
   * The same for a file at a path. Errors: NOT_CONNECTED, SOURCE_*, UPLOAD_FORMAT_UNSUPPORTED for other files,
   * VIDEO_UNREADABLE, VIDEO_TOOL_MISSING, DISK_FULL, CANCELLED.
   */
  'fit.previewPath': {
    input: Type.Object({ path: Type.String({ minLength: 1 }), ...Choice }),
    output: ConversionPreview,
    from: 'owner',
  },
} as const satisfies Record<string, Command>;
