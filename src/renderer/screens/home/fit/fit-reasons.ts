/** Why a video must be converted, as text, each reason with the account limit it exceeds. */

import type { Account } from '../../../../api/account.ts';
import type { FitReason } from '../../../../ipc/protocol/fit.ts';
import { type Locale, useLocale } from '../../../locales/locale.tsx';
import { useApp } from '../../../stores/use-app-stores.tsx';

const wordsOf = (reason: FitReason, limits: Account['limits'] | null, { t, format }: Locale): string | null => {
  const words = t.fit.reasons;
  const over = (write: (limit: string) => string, limit: string | undefined): string | null =>
    limit === undefined ? null : write(limit);
  switch (reason) {
    case 'LONG_SIDE':
      return over(words.LONG_SIDE, limits?.video.maxLongSide.toString());
    case 'SHORT_SIDE':
      return over(words.SHORT_SIDE, limits?.video.maxShortSide.toString());
    case 'FPS':
      return over(words.FPS, limits?.video.maxFps.toString());
    case 'DURATION':
      return over(words.DURATION, limits ? format.duration(limits.video.maxSeconds) : undefined);
    case 'SIZE':
      return over(words.SIZE, limits ? format.bytes(limits.maxVideoBytes) : undefined);
    default:
      return words[reason];
  }
};

export const useFitReasons = (reasons: readonly FitReason[]): readonly string[] => {
  const locale = useLocale();
  const limits = useApp(({ connection }) =>
    connection.state === 'none' ? null : (connection.account?.limits ?? null),
  );
  return reasons.flatMap((reason) => wordsOf(reason, limits, locale) ?? []);
};
