/** Describes where a capture goes and who can open it, shown before anything is uploaded. */

import type { CapturePurpose } from '../../../ipc/protocol/capture.ts';
import type { AppState } from '../../../ipc/protocol/state.ts';
import type { Messages } from '../../locales/en.ts';

type DestinationState = Pick<AppState, 'connection' | 'settings' | 'effective'>;

const whoOf = ({ settings, effective }: DestinationState, words: Messages['overlay']['destination']): string => {
  const preset = settings.presets.find(({ id }) => id === settings.defaultPreset)?.link;
  const visibility = preset?.visibility ?? effective.visibility;
  const who = visibility === null ? words.unknown : words.who[visibility];
  return preset?.oneTime === true ? `${who}, ${words.once}` : who;
};

export const describeDestination = (
  facts: DestinationState,
  purpose: CapturePurpose,
  words: Messages['overlay']['destination'],
): string => {
  const { connection, settings } = facts;
  if (purpose === 'recording' && settings.reviewRecordings) return words.review;
  if (connection.state === 'none') return words.nowhere;
  if (connection.state === 'connected' && connection.keyPlace === 'embedded') return words.tryOut;
  return words.to(new URL(connection.server).host, whoOf(facts, words));
};
