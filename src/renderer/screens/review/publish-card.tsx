/** Name, format and link settings of a recording, with the actions publish, save and discard. */

import { Download, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import type { ShareFields } from '../../../api/content.ts';
import type { RecordingIn, TrimRange } from '../../../ipc/protocol/recording.ts';
import button from '../../components/buttons/button.module.css';
import { Button } from '../../components/buttons/button.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { type LinkChange, LinkOptions, type LinkOptionsValue } from '../../components/links/link-options.tsx';
import { useDestination } from '../../components/links/use-destination.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { Card } from '../settings/card.tsx';
import styles from './review-screen.module.css';

const FORMS = ['video', 'loop'] as const;

interface PublishCardProps {
  readonly recording: RecordingIn<'review'>;
  readonly form: TrimRange['form'];
  readonly isBusy: boolean;
  readonly onForm: (form: TrimRange['form']) => void;
  readonly onPublish: (share: ShareFields) => void;
}

const withoutEnding = (name: string): string => name.replace(/\.\w{2,4}$/, '');

export const PublishCard = ({ recording, form, isBusy, onForm, onPublish }: PublishCardProps) => {
  const { addresses } = useAppStores();
  const { t } = useLocale();
  const words = t.recording.review;
  const visibility = useApp(({ effective }) => effective.visibility);
  const place = useDestination(null);
  const [title, setTitle] = useState(withoutEnding(recording.name));
  const [link, setLink] = useState<LinkChange>({});
  /** `answered`: focus returns to the button that asked. */
  const [question, setQuestion] = useState<'none' | 'asked' | 'answered'>('none');
  const value: LinkOptionsValue = {
    visibility: link.visibility ?? visibility,
    ttl: link.ttl ?? 'forever',
    oneTime: link.oneTime ?? false,
    endsAt: null,
  };
  const named = title.trim();

  return (
    <Card title={words.publish}>
      <TextField label={words.name} name="title" autoComplete="off" value={title} onChange={setTitle} error={null} />
      <RadioChoice
        look="cards"
        label={words.form}
        value={form}
        options={FORMS.map((known) => ({ value: known, ...words.forms[known] }))}
        onChange={onForm}
      />
      <LinkOptions value={value} onChange={(change) => setLink({ ...link, ...change })} />
      <div className={styles.foot}>
        {question === 'asked' ? (
          <DiscardQuestion onKeep={() => setQuestion('answered')} />
        ) : (
          <>
            <p className={styles.place}>{words.publishTo(place)}</p>
            <Button
              tone="danger"
              icon={Trash2}
              isDisabled={isBusy}
              autoFocus={question === 'answered'}
              onPress={() => setQuestion('asked')}
            >
              {words.discard}
            </Button>
            <a
              className={cx(button.button, button.outline)}
              href={addresses.recordingUrl(recording.id)}
              download={recording.name}
            >
              <Download size={16} aria-hidden />
              {words.saveCopy}
            </a>
            <Button
              tone="primary"
              icon={Upload}
              isPending={isBusy}
              onPress={() => onPublish({ ...link, ...(named !== '' && { title: named }) })}
            >
              {words.publish}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
};

const DiscardQuestion = ({ onKeep }: { readonly onKeep: () => void }) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.recording.review;
  return (
    <>
      <p className={styles.ask} role="alert">
        {words.discardAsk}
      </p>
      <div className={styles.answers}>
        <Button autoFocus onPress={onKeep}>
          {words.discardNo}
        </Button>
        <Button tone="danger" icon={Trash2} onPress={() => void engine.run('recording.discard', {})}>
          {words.discardYes}
        </Button>
      </div>
    </>
  );
};
