/** Dialog with the details of a queue item: source, destination, progress, error and history. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LIMITS, partCount } from '../../../../api/limits.ts';
import type { AppState } from '../../../../ipc/protocol/app-state.ts';
import type { PostPublishSettings } from '../../../../ipc/protocol/link-settings.ts';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { kindOfName } from '../../../components/indicators/kind-of-name.ts';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { Dialog } from '../../../components/overlays/dialog.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { roundRate } from '../../../stores/queue/round-speed-and-time.ts';
import { useItemView } from '../../../stores/queue/use-item-view.ts';
import { useApp, useAppStores, useThumbnail } from '../../../stores/use-app-stores.tsx';
import { formatSettings } from '../../../timeline/event-sentence.ts';
import { ItemTimeline } from '../../../timeline/item-timeline.tsx';
import { accessSentence } from '../../item/access-sentence.ts';
import { type Access, accessOf } from '../../item/link-access.ts';
import { preparedSummary } from './prepared-summary.ts';
import styles from './queue-item-details.module.css';
import { QueueItemError } from './queue-item-error.tsx';
import { Progress, StateLine } from './queue-item-progress.tsx';
import speedChartStyles from './speed-chart.module.css';

const SAMPLES = 60;
const EVERY_MS = 1_000;
/** Minimum number of samples for a curve. */
const ENOUGH = 3;

/** One sample per second while bytes are sent. */
const useSpeeds = (id: QueueItem['id']): readonly number[] => {
  const speed = useApp(({ queue }) => queue.live[id]?.bytesPerSecond ?? null);
  const [speeds, setSpeeds] = useState<readonly number[]>([]);
  const newest = useRef(speed);
  newest.current = speed;
  const isMoving = speed !== null;
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => {
      const now = newest.current;
      if (now !== null) setSpeeds((before) => [...before, now].slice(-SAMPLES));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return speeds;
};

/** Chart of the speed over the last minute. Visual only: the status line has the number. */
const SpeedChart = ({ id }: { readonly id: QueueItem['id'] }) => {
  const { t, format } = useLocale();
  const speeds = useSpeeds(id);
  if (speeds.length < ENOUGH) return null;
  const top = Math.max(...speeds, 1);
  const from = SAMPLES - speeds.length;
  const points = speeds.map((speed, index) => `${from + index},${(1 - speed / top) * 28 + 1}`).join(' ');
  return (
    <div className={speedChartStyles.chart} aria-hidden>
      <p className={speedChartStyles.words}>
        <span>{t.status.details.speed}</span>
        <span>{t.status.details.fastest(format.speed(roundRate(top)))}</span>
      </p>
      <svg aria-hidden className={speedChartStyles.curve} viewBox={`0 0 ${SAMPLES - 1} 30`} preserveAspectRatio="none">
        <polygon className={speedChartStyles.area} points={`${from},30 ${points} ${SAMPLES - 1},30`} />
        <polyline className={speedChartStyles.line} points={points} />
      </svg>
    </div>
  );
};

// Access of an unpublished item's link: its own settings, otherwise those of the app and the account. Pure.

/** Null if no account is known. `now`: milliseconds since 1970-01-01 UTC. */
const plannedAccess = (
  item: QueueItem,
  { guarded, effective }: Pick<AppState, 'guarded' | 'effective'>,
  now: number,
): Access | null => {
  if (item.state === 'linked') return accessOf({ content: item.content, goneAt: null, deletingAt: null }, now);
  const requested: PostPublishSettings = { ...item.share, ...item.postPublish };
  const visibility = requested.visibility ?? effective.visibility;
  const until = requested.expiresAt == null ? null : new Date(requested.expiresAt);
  if (visibility === null) return null;
  if (visibility === 'private') return { state: 'private', until };
  return {
    state: 'open',
    who: visibility === 'public' ? 'everyone' : 'link',
    password: guarded.includes(item.id) ? 'needed' : 'none',
    times: requested.oneTime ? 'once' : requested.viewLimit == null ? null : { left: requested.viewLimit },
    download: requested.allowDownload === false ? 'off' : 'allowed',
    until,
  };
};

interface QueueDetailsProps {
  readonly id: QueueItem['id'];
  readonly onClose: () => void;
}

export const QueueItemDetails = ({ id, onClose }: QueueDetailsProps) => {
  const item = useApp(({ queue }) => queue.items.find((one) => one.id === id));
  const isGone = item === undefined;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  return (
    item && (
      <Dialog
        title={item.name}
        size="wide"
        isOpen
        onClose={onClose}
        answers={<Actions item={item} onClose={onClose} />}
      >
        <Body item={item} />
      </Dialog>
    )
  );
};

const Body = ({ item }: { readonly item: QueueItem }) => {
  const { t } = useLocale();
  const view = useItemView(item);
  const parts = useUploadedParts(item);
  const isDone = item.state === 'linked';
  return (
    <div className={styles.details}>
      <div className={styles.state}>
        <Thumbnail src={useThumbnail(item.id)} kind={kindOfName(item.name)} />
        <div className={styles.progress}>
          <StateLine item={item} view={view} parts={parts} />
          {!isDone && <Progress item={item} view={view} />}
        </div>
      </div>
      {view.error && <QueueItemError item={item} error={view.error} phase={view.phase} />}
      <SpeedChart id={item.id} />
      <About item={item} />
      <section className={styles.happened}>
        <h3>{t.status.details.happened}</h3>
        <ItemTimeline id={item.id} />
      </section>
    </div>
  );
};

/** Null if the upload does not use several parts. */
const useUploadedParts = (item: QueueItem): string | null => {
  const { t } = useLocale();
  const total = partCount(item.size);
  if (!('confirmedBytes' in item) || total < 2) return null;
  const done = item.confirmedBytes >= item.size ? total : Math.floor(item.confirmedBytes / LIMITS.partBytes);
  return t.status.details.parts(done, total);
};

const About = ({ item }: { readonly item: QueueItem }) => {
  const locale = useLocale();
  const { t, format } = locale;
  const words = t.status.details;
  const account = useApp(({ accounts, connection }) => {
    const owner =
      accounts.map((one) => one.connection).find((one) => one.account?.user.id === item.accountId) ?? connection;
    return owner.state === 'none' || (item.accountId !== null && owner.account?.user.id !== item.accountId)
      ? null
      : owner;
  });
  const { job, source, origin, body } = item;
  const kind = job.kind === 'folder' ? 'FOLDER' : job.kind === 'note' ? 'PASTE' : kindOfName(item.name);
  return (
    <dl className={styles.about}>
      <Row name={words.what}>
        {`${kind === 'UNKNOWN' ? words.file : t.library.kind[kind]}, ${format.bytes(item.size)}`}
      </Row>
      <Row name={words.from}>
        {origin === 'capture'
          ? words.captured
          : origin === 'recording'
            ? words.recorded
            : source.owner === 'user'
              ? source.path
              : item.name}
      </Row>
      <Row name={words.sent}>
        {body
          ? preparedSummary(body.made, locale)
          : item.state === 'queued' && job.kind !== 'note'
            ? words.unmade
            : words.unchanged}
      </Row>
      <Row name={words.goesTo}>
        {account === null ? words.anyAccount : placeOf(account.account?.user, account.server)}
      </Row>
      <Row name={words.link}>
        <Planned item={item} />
      </Row>
    </dl>
  );
};

/** Planned link settings, title and tags. */
const Planned = ({ item }: { readonly item: QueueItem }) => {
  const { now } = useAppStores();
  const locale = useLocale();
  const { t } = locale;
  const guarded = useApp((app) => app.guarded);
  const effective = useApp((app) => app.effective);
  const { title, tags, ttl } = { ...item.share, ...item.postPublish };
  const access = plannedAccess(item, { guarded, effective }, now());
  const ends = item.state === 'linked' || ttl === undefined || ttl === 'forever' ? [] : [t.timeline.changes.ttl[ttl]];
  const named = formatSettings({ ...(title !== undefined && { title }), ...(tags !== undefined && { tags }) }, locale);
  return (
    <>
      <span className={styles.sentence}>
        {access === null ? t.status.details.asAccount : accessSentence(locale, access, now(), ends)}
      </span>
      {named !== '' && <span className={styles.sentence}>{named}</span>}
    </>
  );
};

const placeOf = (user: { readonly name: string; readonly username: string } | undefined, server: string): string => {
  const host = URL.parse(server)?.host ?? server;
  return user ? `${user.name || user.username}, ${host}` : host;
};

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={styles.row}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Actions = ({ item, onClose }: { readonly item: QueueItem; readonly onClose: () => void }) => {
  const { engine, view: place } = useAppStores();
  const { t } = useLocale();
  const words = t.status.details;
  const { toggle, phase, error } = useItemView(item);
  const ids = [item.id];
  if (item.state === 'linked') {
    return (
      <Button
        tone="primary"
        onPress={() => {
          onClose();
          place.open({ screen: 'item', id: item.id });
        }}
      >
        {words.openItem}
      </Button>
    );
  }
  return (
    <>
      <Button
        isDisabled={phase === 'cancelling' && error === null}
        onPress={() => void engine.run('queue.cancel', { ids })}
      >
        {words.cancel}
      </Button>
      {toggle !== null && (
        <Button onPress={() => void engine.run(toggle === 'pause' ? 'queue.pause' : 'queue.resume', { ids })}>
          {words[toggle]}
        </Button>
      )}
    </>
  );
};
