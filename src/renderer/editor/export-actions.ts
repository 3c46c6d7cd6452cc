/** The actions that export an edited capture (upload, copy, save, pin), and those that the main button runs. Pure. */

import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { AfterCapture } from '../../ipc/protocol/capture.ts';

export type ExportAction = 'upload' | 'copy' | 'save' | 'pin';

export const EXPORT_ACTIONS: Readonly<Record<ExportAction, AfterCapture>> = {
  upload: { publish: true, copyPicture: false, save: false },
  copy: { publish: false, copyPicture: true, save: false },
  save: { publish: false, copyPicture: false, save: true },
  pin: { publish: false, copyPicture: false, save: false, pin: true },
};

export const exportActionsOf = ({ publish, copyPicture, save }: AfterCapture): readonly ExportAction[] => [
  ...(publish ? (['upload'] as const) : []),
  ...(copyPicture ? (['copy'] as const) : []),
  ...(save ? (['save'] as const) : []),
];

/** What the main button does: the actions from the settings, or uploading if they name none. */
export const defaultAfterCapture = ({ settings }: AppState): AfterCapture =>
  exportActionsOf(settings.afterCapture).length === 0 ? EXPORT_ACTIONS.upload : settings.afterCapture;
