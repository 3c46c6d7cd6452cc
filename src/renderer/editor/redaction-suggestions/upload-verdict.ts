/**
 * Decides whether the editor may upload a capture, by the settings and by the user's decisions about possible secrets
 * in it. Pure.
 */
import type { Settings } from '../../../ipc/protocol/settings.ts';
import type { RedactionSuggestions } from './use-redaction-suggestions.ts';

/** `reviewed`: the user has decided. `unchecked`: the queue checks it. `held`: the user must decide first. */
export type UploadVerdict = 'reviewed' | 'unchecked' | 'held';

interface Circumstances {
  readonly rule: Settings['checkBeforeUpload'];
  /** The capture waits in the queue until the user has looked at it. */
  readonly isWaiting: boolean;
  /** An upload was held before. */
  readonly isWarned: boolean;
}

export const uploadVerdict = (
  proposals: RedactionSuggestions,
  { rule, isWaiting, isWarned }: Circumstances,
): UploadVerdict => {
  if (rule === 'off' && !isWaiting) return 'unchecked';
  const { state } = proposals;
  const isDecided = proposals.state === 'found' && proposals.at >= proposals.found.length;
  if (isDecided || state === 'looked') return 'reviewed';
  if (rule === 'require') return 'held';
  // Closed, or it could not be checked and the user was told.
  if (state === 'closed' || state === 'failed') return 'reviewed';
  if (state !== 'found' && !isWaiting) return 'unchecked';
  return isWarned ? 'reviewed' : 'held';
};
