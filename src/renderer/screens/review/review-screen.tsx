/** Review of a recording: preview, trim, name, then publish or discard. */

import { useState } from 'react';
import type { ShareFields } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { RecordingIn, TrimRange } from '../../../ipc/protocol/recording.ts';
import { Advice } from '../../components/overlays/advice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { Card } from '../settings/card.tsx';
import { Preview } from './preview.tsx';
import { PublishCard } from './publish-card.tsx';
import styles from './review-screen.module.css';
import type { Range } from './trim.ts';

export const ReviewScreen = () => {
  const recording = useApp((app) => app.recording);
  return recording?.state === 'review' ? <Review key={recording.id} recording={recording} /> : null;
};

const Review = ({ recording }: { readonly recording: RecordingIn<'review'> }) => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const words = t.recording.review;
  const [range, setRange] = useState<Range>({ startMs: 0, endMs: recording.durationMs });
  const [form, setForm] = useState<TrimRange['form']>('video');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const publish = async (share: ShareFields) => {
    setBusy(true);
    setFailure(null);
    const startMs = Math.round(range.startMs);
    const endMs = range.endMs >= recording.durationMs ? null : Math.round(range.endMs);
    const asked = await engine.ask('recording.publish', { id: recording.id, cut: { startMs, endMs, form }, share });
    setBusy(false);
    if (!asked.ok) setFailure(asked.error);
  };

  const text = failure && describe(failure);
  return (
    <div className={styles.screen}>
      <h1>{words.title}</h1>
      {recording.isRecovered && <Advice tone="warn" title={words.recovered} sentences={[words.recoveredAdvice]} />}
      <Card title={words.timeline}>
        <Preview recording={recording} range={range} form={form} onRange={setRange} />
      </Card>
      {text && failure && (
        <div role="alert">
          <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      )}
      <PublishCard
        recording={recording}
        form={form}
        onForm={setForm}
        isBusy={isBusy}
        onPublish={(share) => void publish(share)}
      />
    </div>
  );
};
