/** Hook that returns the status of app updates as localized text. */

import type { CommandOutput } from '../../../../ipc/protocol/command-table.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useHostAnswer } from '../../../stores/use-host-answer.ts';

type UpdateState = CommandOutput<'app.updates'>;

/** Initial state, and the state of hosts without update checks. */
const NOT_LOOKED_FOR: UpdateState = { state: 'not-looked-for', version: null, checkedAt: null };

export const useUpdateStatusText = (): string => {
  const { t, format } = useLocale();
  const words = t.settingsMore.updates;
  const { answer } = useHostAnswer('app.updates', {});
  const { state, version, checkedAt } = answer?.ok ? answer.value : NOT_LOOKED_FOR;
  const statusText = words.states[state];
  const sentence = typeof statusText === 'string' ? statusText : statusText(version ?? '');
  return checkedAt === null ? sentence : `${sentence} ${words.checked(format.dateTime(new Date(checkedAt)))}`;
};
