/**
 * Screen for the review of a recording: preview, trim, name, format and link settings, then publish, save or discard.
 */
import { Download, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ShareFields } from '../../../api/content.ts';
import type { RecordingId } from '../../../api/ids.ts';
import { LIMITS } from '../../../api/limits.ts';
import { ANIMATION_FRAMES_MAX, type AnimationOptions } from '../../../ipc/protocol/animation.ts';
import type { RecordingIn } from '../../../ipc/protocol/recording.ts';
import { Alert } from '../../components/alert.tsx';
import button from '../../components/buttons/button.module.css';
import { Button } from '../../components/buttons/button.tsx';
import { Card } from '../../components/card.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { LinkOptions } from '../../components/links/link-options.tsx';
import { resolvedShare } from '../../components/links/unpublished-link-settings.ts';
import { usePlannedLink } from '../../components/links/use-planned-link.ts';
import { useUploadDestination } from '../../components/links/use-upload-destination.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { RecordingForm, ReviewChoices } from '../../stores/captures/review-choices.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { AnimationFields, framesOf, usualAnimation } from './animation-fields.tsx';
import { RecordingPreview } from './recording-preview.tsx';
import styles from './review-screen.module.css';
import { cutOf } from './trim-range.ts';

const FORMS: readonly RecordingForm[] = ['video', 'loop', 'animation'];

interface PublishCardProps {
  readonly recording: RecordingIn<'review'>;
  readonly choices: ReviewChoices;
  readonly isPublishing: boolean;
  /** `animation` null: as a video. */
  readonly onPublish: (share: ShareFields, animation: AnimationOptions | null) => void;
}

const withoutEnding = (name: string): string => name.replace(/\.\w{2,4}$/, '');

/** Name, format and link settings of a recording, with the actions publish, save and discard. */
const PublishCard = ({ recording, choices, isPublishing, onPublish }: PublishCardProps) => {
  const { addresses, animatedImage, review } = useAppStores();
  const { t } = useLocale();
  const words = t.recording.review;
  const isMaking = useStore(animatedImage.store, ({ part }) => part !== null);
  const { range, form, animation, title, link } = choices;
  const choose = (change: Partial<ReviewChoices>): void => review.choose(recording.id, change);
  const isAnimation = form === 'animation';
  const options = { ...animation, ...cutOf(range, recording.durationMs) };
  const isTooLong = isAnimation && framesOf(animation, range) > ANIMATION_FRAMES_MAX;
  const place = useUploadDestination(null);
  /** `answered`: focus returns to the button that asked. */
  const [question, setQuestion] = useState<'none' | 'asked' | 'answered'>('none');
  const planned = usePlannedLink(link);
  const named = title.trim();
  const chooseForm = (chosen: RecordingForm): void => {
    // Until it has stopped, nothing else can be published.
    if (isMaking && chosen !== 'animation') animatedImage.stop();
    choose({ form: chosen });
  };

  return (
    <Card title={words.publish}>
      <TextField
        label={words.name}
        name="title"
        autoComplete="off"
        maxLength={LIMITS.titleMaxCharacters}
        value={title}
        isDisabled={isPublishing}
        onChange={(typed) => choose({ title: typed })}
        error={null}
      />
      <RadioChoice
        look="cards"
        label={words.form}
        value={form}
        // Another form stops the image that is being made.
        isDisabled={isPublishing && !isMaking}
        options={FORMS.map((known) => ({ value: known, ...words.forms[known] }))}
        onChange={chooseForm}
      />
      {isAnimation && (
        <AnimationFields
          recording={recording}
          range={range}
          choice={animation}
          isDisabled={isPublishing}
          onChange={(chosen) => choose({ animation: chosen })}
        />
      )}
      <LinkOptions
        value={planned}
        isDisabled={isPublishing}
        onChange={(change) => choose({ link: resolvedShare(link, change, planned) })}
      />
      <div className={styles.foot}>
        {question === 'asked' ? (
          <DiscardQuestion id={recording.id} onKeep={() => setQuestion('answered')} />
        ) : (
          <>
            <p className={styles.place}>{isPublishing ? words.publishing : words.publishTo(place)}</p>
            <Button
              tone="danger"
              icon={Trash2}
              isDisabled={isPublishing || isMaking}
              autoFocus={question === 'answered'}
              onPress={() => setQuestion('asked')}
            >
              {words.discard}
            </Button>
            {isAnimation ? (
              <Button
                icon={Download}
                isDisabled={isMaking || isTooLong}
                onPress={() => void animatedImage.save(recording.id, options)}
              >
                {words.animation.save}
              </Button>
            ) : (
              <a
                className={cx(button.button, button.outline)}
                href={addresses.recordingUrl(recording.id)}
                download={recording.name}
              >
                <Download size={16} aria-hidden />
                {words.saveCopy}
              </a>
            )}
            <Button
              tone="primary"
              icon={Upload}
              isPending={isPublishing}
              isDisabled={isMaking || isTooLong || (isAnimation && animation.format === 'gif')}
              onPress={() =>
                onPublish({ ...link, ...(named !== '' && { title: named }) }, isAnimation ? options : null)
              }
            >
              {words.publish}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
};

interface DiscardQuestionProps {
  readonly id: RecordingId;
  readonly onKeep: () => void;
}

const DiscardQuestion = ({ id, onKeep }: DiscardQuestionProps) => {
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
        <Button tone="danger" icon={Trash2} onPress={() => void engine.run('recording.discard', { id })}>
          {words.discardYes}
        </Button>
      </div>
    </>
  );
};

export const ReviewScreen = () => {
  const recording = useApp((app) => app.recording);
  return recording?.state === 'review' ? <Review key={recording.id} recording={recording} /> : null;
};

const useChoices = (recording: RecordingIn<'review'>): ReviewChoices => {
  const { animatedImage, review } = useAppStores();
  const { id, chosen } = useStore(review.store);
  // An image that is still being made is shown, and can be cancelled.
  const form = useStore(animatedImage.store, ({ part }) => (part === null ? 'video' : 'animation'));
  return {
    range: { startMs: 0, endMs: recording.durationMs },
    form,
    animation: usualAnimation(recording),
    title: withoutEnding(recording.name),
    link: {},
    ...(id === recording.id && chosen),
  };
};

const Review = ({ recording }: { readonly recording: RecordingIn<'review'> }) => {
  const { animatedImage, review } = useAppStores();
  const { t, failure: describe } = useLocale();
  const words = t.recording.review;
  const choices = useChoices(recording);
  const { range, form } = choices;
  /** An animated image plays as a loop does. */
  const playedForm = form === 'video' ? 'video' : 'loop';
  const isPublishing = useStore(review.publishing, ({ id }) => id === recording.id);
  // Not of this component: while the recording is trimmed, the review is not shown.
  const failure = useStore(review.store, (known) => (known.id === recording.id ? known.failure : null));

  const publish = async (share: ShareFields, animation: AnimationOptions | null) => {
    if (animation !== null) return animatedImage.publish(recording.id, animation, share);
    await review.publish(recording.id, { ...cutOf(range, recording.durationMs), form: playedForm }, share);
  };

  const text = failure && describe(failure);
  return (
    <div className={styles.screen}>
      <h1>{words.title}</h1>
      {recording.isRecovered && <Alert tone="warn" title={words.recovered} sentences={[words.recoveredAdvice]} />}
      <Card title={words.timeline}>
        <RecordingPreview
          recording={recording}
          range={range}
          form={playedForm}
          isFixed={isPublishing}
          onRange={(chosen) => review.choose(recording.id, { range: chosen })}
        />
      </Card>
      {text && failure && (
        <div role="alert">
          <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      )}
      <PublishCard
        recording={recording}
        choices={choices}
        isPublishing={isPublishing}
        onPublish={(share, animation) => void publish(share, animation)}
      />
    </div>
  );
};
