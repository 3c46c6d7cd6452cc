/**
 * The banners above the current screen: an unreachable host, problems with the connection to the service, a paused
 * queue, the engine's notices, and a recording that waits for review.
 */

import { Film, KeyRound, Play, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ErrorCode, unreachable } from '../../api/errors.ts';
import { noticeKey } from '../../ipc/protocol/notice-key.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/buttons/button.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { type Locale, useLocale } from '../locales/locale.tsx';
import { useIsOpenStep, useIsWelcoming } from '../screens/welcome/use-first-steps.ts';
import { type Away, type Connectivity, isAway } from '../stores/queue/connectivity.ts';
import type { Screen } from '../stores/router-store.ts';
import { useApp, useAppStores, useHostConnection, useNow, useScreen } from '../stores/use-app-stores.tsx';
import styles from './banners.module.css';
import { useRecordingToReview } from './use-recording-review.ts';
import { useShownConnectivity } from './use-shown-connectivity.ts';

/** The review screen already says that its recording was recovered. */
const isSaidBy = (screen: Screen, code: ErrorCode): boolean => screen === 'review' && code === 'RECORDING_RECOVERED';

/** Notices from the engine, shown until the user dismisses them. */
export const Notices = () => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const screen = useScreen();
  const notices = useApp((app) => app.notices).filter(({ code }) => !isSaidBy(screen, code));
  if (notices.length === 0) return null;
  return (
    <section className={styles.notices} aria-label={t.app.notices}>
      {notices.map((notice, index) => {
        const { title, advice } = describe(notice);
        return (
          <Alert
            key={`${noticeKey(notice)} ${notice.detail}`}
            tone="warn"
            title={title}
            sentences={[advice]}
            failure={notice}
          >
            {index === 0 && <Button onPress={() => void engine.run('app.dismissNotices', {})}>{t.app.dismiss}</Button>}
          </Alert>
        );
      })}
    </section>
  );
};

export const ReviewBanner = () => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const waiting = useRecordingToReview();
  const screen = useScreen();
  if (waiting === null || screen === 'review') return null;
  return (
    <Alert tone="plain" title={t.recording.waits(waiting.name)} sentences={[]}>
      <Button tone="primary" icon={Film} onPress={() => view.show('review')}>
        {t.recording.look}
      </Button>
    </Alert>
  );
};

const SECOND_MS = 1_000;

/** The engine's host is unreachable, or a new one that this page does not belong to. */
export const HostUnreachableBanner = () => {
  const { t } = useLocale();
  const link = useHostConnection();
  if (link === 'up') return null;
  const isStranger = link === 'refused';
  return (
    <div role="alert">
      <Alert
        tone="bad"
        title={isStranger ? t.app.linkRefused : t.app.linkDown}
        sentences={[isStranger ? t.app.linkRefusedAdvice : t.app.linkDownAdvice]}
      />
    </div>
  );
};

/** Shown while nothing can be published: the cause, what is kept, when the app retries, and what the user can do. */
export const ConnectionBanner = () => {
  const reach = useShownConnectivity();
  const link = useHostConnection();
  return (
    <>
      <Announcement reach={reach} />
      {/* While the host is unreachable, the state of the service is unknown. */}
      {link === 'up' && <Banner reach={reach} />}
    </>
  );
};

const Banner = ({ reach }: { readonly reach: Connectivity }) => {
  const isWelcoming = useIsWelcoming();
  const isFirstStep = useIsOpenStep('connect');
  const { engine, view } = useAppStores();
  const { t, failure: describe } = useLocale();
  const screen = useScreen();
  switch (reach.kind) {
    case 'up':
      return null;
    case 'network':
    case 'service':
      return <AwayBanner away={reach} />;
    case 'resting':
      return <RateLimitBanner until={reach.until} />;
    case 'unconnected':
      // Settings, the welcome screen and the first steps show this themselves, next to the action.
      if (screen === 'settings' || (screen === 'home' && (isWelcoming || isFirstStep))) return null;
      return (
        <Alert tone="plain" title={t.connection.none} sentences={[t.connection.noneAdvice]}>
          <Button tone="primary" icon={KeyRound} onPress={view.connect}>
            {t.connection.connect}
          </Button>
        </Alert>
      );
    case 'paused':
      // The queue shows this itself, next to its button.
      if (screen === 'home') return null;
      return (
        <Alert tone="plain" title={t.status.reach.paused.title} sentences={[t.status.reach.resting(reach.waiting)]}>
          <Button icon={Play} onPress={() => void engine.run('queue.resumeAll', {})}>
            {t.status.reach.paused.action}
          </Button>
        </Alert>
      );
    case 'refused': {
      if (screen === 'settings') return null;
      const { title, advice } = describe(reach.failure);
      const needsKey = reach.needs === 'key';
      return (
        <div role="alert">
          <Alert
            tone={needsKey ? 'bad' : 'warn'}
            title={title}
            sentences={[advice, t.connection.queueKept]}
            failure={reach.failure}
          >
            {needsKey ? (
              <Button tone="primary" icon={KeyRound} onPress={view.connect}>
                {t.connection.reconnect}
              </Button>
            ) : (
              <Button icon={RefreshCw} onPress={() => void engine.run('connection.refresh', {})}>
                {t.connection.tryAgain}
              </Button>
            )}
          </Alert>
        </div>
      );
    }
    default:
      return unreachable(reach);
  }
};

const wordsOf = ({ kind, server }: Away, { t }: Locale): { readonly title: string; readonly advice: string } => {
  const { network, service } = t.status.reach;
  return kind === 'network' ? network : { title: service.title(server), advice: service.advice };
};

const RateLimitBanner = ({ until }: { readonly until: number }) => {
  const { t, format } = useLocale();
  const left = Math.max(1, Math.ceil((until - useNow(SECOND_MS)) / SECOND_MS));
  const { title, goesOn } = t.status.reach.full;
  return <Alert tone="plain" title={title} sentences={[goesOn(format.duration(left))]} />;
};

const AwayBanner = ({ away }: { readonly away: Away }) => {
  const { engine } = useAppStores();
  const locale = useLocale();
  const { t, format } = locale;
  const words = t.status.reach;
  const { ids, nextAt, waiting, failure } = away;
  const now = useNow(nextAt === null ? null : SECOND_MS);
  const { title, advice } = wordsOf(away, locale);
  const left = nextAt === null ? null : Math.ceil((nextAt - now) / SECOND_MS);
  const next = left === null ? '' : left > 0 ? `${t.queue.retryIn(format.duration(left))}.` : words.trying;
  const tryNow = (): void => {
    void engine.run('connection.refresh', {});
    if (ids.length > 0) void engine.run('queue.retry', { ids: [...ids] });
  };
  return (
    <Alert tone="warn" title={title} sentences={[words.waiting(waiting), `${advice} ${next}`.trim()]} failure={failure}>
      <Button icon={RefreshCw} onPress={tryNow}>
        {words.tryNow}
      </Button>
    </Alert>
  );
};

/** Announces once that work is waiting and once that the connection is back. The countdown is visual only. */
const Announcement = ({ reach }: { readonly reach: Connectivity }) => {
  const locale = useLocale();
  const { t } = locale;
  const kind = isAway(reach) || reach.kind === 'resting' ? reach.kind : null;
  // A pause or a refused key ends the wait as well, but not the outage.
  const isUp = reach.kind === 'up';
  const waiting = isAway(reach) ? reach.waiting : 0;
  const { full, back, waiting: wait } = t.status.reach;
  const title = isAway(reach) ? wordsOf(reach, locale).title : '';
  const [announced, setAnnounced] = useState({ kind, words: '' });
  useEffect(() => {
    setAnnounced((before) => {
      if (before.kind === kind) return before;
      if (kind === 'resting') return { kind, words: full.title };
      if (kind === null) return { kind, words: isUp && before.kind !== 'resting' ? back : '' };
      return { kind, words: `${title}. ${wait(waiting)}` };
    });
  }, [kind, isUp, title, waiting, full, back, wait]);
  return <VisuallyHidden live>{announced.words}</VisuallyHidden>;
};
