/** The ways in which a picture leaves the editor, and the link that it gets. Pure. */
import type { AfterCapture } from '../../ipc/protocol/capture.ts';
import type { CaptureDraft } from '../../ipc/protocol/drawing.ts';
import type { AppState } from '../../ipc/protocol/state.ts';
import type { LinkOptionsValue } from '../components/links/link-options.tsx';

/** What of a link can be chosen in the editor; what is left out is as the settings say. */
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

/** What the button at the end does: all that the settings say, and uploading where they say nothing. */
export const usualAfter = ({ settings }: AppState): AfterCapture =>
  exportActionsOf(settings.afterCapture).length === 0 ? EXPORT_ACTIONS.upload : settings.afterCapture;

/** The link as it will be, before the person says anything else: the preset of new items, else the account's way. */
export const plannedLink = ({ settings, effective }: AppState, share: LinkChoice): LinkOptionsValue => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link ?? {};
  const wished = { ...preset, ...share };
  return {
    visibility: wished.visibility ?? effective.visibility,
    ttl: wished.ttl ?? 'forever',
    oneTime: wished.oneTime ?? false,
    endsAt: null,
  };
};

/** A public link cannot be for one time only: the choice that was made last wins. */
export const resolvedShare = (share: LinkChoice, change: LinkChoice, planned: LinkOptionsValue): LinkChoice => {
  const next = { ...share, ...change };
  if (change.oneTime && (next.visibility ?? planned.visibility) === 'public')
    return { ...next, visibility: 'unlisted' };
  if (change.visibility === 'public' && (next.oneTime ?? planned.oneTime)) return { ...next, oneTime: false };
  return next;
};
