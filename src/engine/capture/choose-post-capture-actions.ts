/** What follows a new screenshot: the editor or the actions, by the choice of the user and the settings. Pure. */
import { unreachable } from '../../api/errors.ts';
import { type AfterCapture, SINGLE_ACTION } from '../../ipc/protocol/capture.ts';
import type { LinkSettings } from '../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { CaptureAction } from './capture-interface.ts';
import type { PendingCapture } from './pending-captures.ts';
import type { SavedCapture } from './save-to-spool.ts';

/** A new screenshot with its next step: the actions, or null for the editor. */
export const pendingOf = (saved: SavedCapture, after: AfterCapture | null): PendingCapture => ({
  ...saved,
  status: after ? { is: 'going', picture: saved.path, after, share: {} } : { is: 'editing' },
});

/**
 * A new screenshot that is published with these link settings. A password is never persisted here: after a crash the
 * screenshot is then saved, and not published without it.
 */
export const publishedAs = (saved: SavedCapture, { password, ...share }: LinkSettings): PendingCapture => {
  const after = password === undefined ? SINGLE_ACTION.publish : SINGLE_ACTION.save;
  return { ...saved, status: { is: 'going', picture: saved.path, after, share } };
};

/** The actions for the user's choice; null: open the editor. */
export const actionsOf = (
  action: Exclude<CaptureAction, 'text' | 'scroll'>,
  { editAfterCapture, afterCapture }: Settings,
): AfterCapture | null => {
  switch (action) {
    case null:
      return editAfterCapture ? null : afterCapture;
    case 'edit':
      return null;
    case 'publish':
      return { ...afterCapture, publish: true };
    case 'copy':
      return SINGLE_ACTION.copy;
    case 'save':
      return SINGLE_ACTION.save;
    case 'pin':
      return SINGLE_ACTION.pin;
    default:
      return unreachable(action);
  }
};
