/**
 * Names the ways to export an edited capture (publish, copy, save, pin), and derives from the settings which of them
 * the main button uses. Pure.
 */

import type { AppState } from '../../ipc/protocol/app-state.ts';
import { type AfterCapture, SINGLE_ACTION } from '../../ipc/protocol/capture.ts';

export type ExportAction = keyof typeof SINGLE_ACTION;

export const exportActionsOf = ({ publish, copyPicture, save }: AfterCapture): readonly ExportAction[] => [
  ...(publish ? (['publish'] as const) : []),
  ...(copyPicture ? (['copy'] as const) : []),
  ...(save ? (['save'] as const) : []),
];

/** What the main button does: the actions from the settings, or publishing if they name none. */
export const defaultAfterCapture = ({ settings }: AppState): AfterCapture =>
  exportActionsOf(settings.afterCapture).length === 0 ? SINGLE_ACTION.publish : settings.afterCapture;
