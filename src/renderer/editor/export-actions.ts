/** Export actions of the editor and the settings of the resulting link. Pure. */
import type { AfterCapture } from '../../ipc/protocol/capture.ts';
import type { CaptureDraft } from '../../ipc/protocol/drawing.ts';
import type { AppState } from '../../ipc/protocol/state.ts';
import type { LinkOptionsValue } from '../components/links/link-options.tsx';

/** The link settings that can be changed in the editor; an omitted field follows the settings. */
export type LinkChoice = CaptureDraft['share'];

export type ExportAction = 'upload' | 'copy' | 'save';

export const EXPORT_ACTIONS: Readonly<Record<ExportAction, AfterCapture>> = {
  upload: { publish: true, copyPicture: false, save: false },
  copy: { publish: false, copyPicture: true, save: false },
  save: { publish: false, copyPicture: false, save: true },
};

export const exportActionsOf = ({ publish, copyPicture, save }: AfterCapture): readonly ExportAction[] => [
  ...(publish ? (['upload'] as const) : []),
  ...(copyPicture ? (['copy'] as const) : []),
  ...(save ? (['save'] as const) : []),
];

/** What the main button does: the actions from the settings, or uploading if they name none. */
export const defaultAfterCapture = ({ settings }: AppState): AfterCapture =>
  exportActionsOf(settings.afterCapture).length === 0 ? EXPORT_ACTIONS.upload : settings.afterCapture;

/** The link settings before the user changes any: the preset of new items, otherwise the account's defaults. */
export const plannedLink = ({ settings, effective }: AppState, share: LinkChoice): LinkOptionsValue => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link ?? {};
  const requested = { ...preset, ...share };
  return {
    visibility: requested.visibility ?? effective.visibility,
    ttl: requested.ttl ?? 'forever',
    oneTime: requested.oneTime ?? false,
    endsAt: null,
  };
};

/** A public link cannot be one-time; the later choice wins. */
export const resolvedShare = (share: LinkChoice, change: LinkChoice, planned: LinkOptionsValue): LinkChoice => {
  const next = { ...share, ...change };
  if (change.oneTime && (next.visibility ?? planned.visibility) === 'public')
    return { ...next, visibility: 'unlisted' };
  if (change.visibility === 'public' && (next.oneTime ?? planned.oneTime)) return { ...next, oneTime: false };
  return next;
};
