/** Public interface of the recording feature: the recording commands, and the path of the recording in review. */

import type { RecordingId } from '../../api/ids.ts';
import type { CommandsOf } from '../command-types.ts';

export interface RecordingApi extends CommandsOf<'recording'> {
  /** Path of the MP4 in review; null: no such recording. */
  file(id: RecordingId): string | null;
}
