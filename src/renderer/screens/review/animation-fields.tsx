/** The choices for an animated image of a recording, with the size that it would have, and its progress. */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ANIMATION_FORMATS, ANIMATION_FRAMES_MAX, animationFrames } from '../../../ipc/protocol/animation.ts';
import type { RecordingIn } from '../../../ipc/protocol/recording.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/buttons/button.tsx';
import choices from '../../components/fields/choices.module.css';
import { Picker } from '../../components/fields/picker.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { ProgressBar } from '../../components/indicators/progress.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { AnimationChoice } from '../../stores/captures/review-choices.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './review-screen.module.css';
import { cutOf, type Range } from './trim-range.ts';

/** The same in every language. */
const FORMAT_NAMES = { webp: 'WebP', gif: 'GIF' } as const;
const FPS = [5, 10, 15, 20, 25, 30] as const;
const WIDTHS = [320, 480, 640, 800, 1_280] as const;
const PLAYS = [0, 1, 3] as const;
/** Wider screens make images that are too large for a chat. */
const USUAL_WIDTH = 800;

export const usualAnimation = ({ width }: RecordingIn<'review'>): AnimationChoice => ({
  ...{ format: 'webp', fps: 15, plays: 0 },
  width: width > USUAL_WIDTH ? USUAL_WIDTH : null,
});

export const framesOf = ({ fps }: AnimationChoice, { startMs, endMs }: Range): number =>
  animationFrames(endMs - startMs, fps);

interface AnimationFieldsProps {
  readonly recording: RecordingIn<'review'>;
  readonly range: Range;
  readonly choice: AnimationChoice;
  readonly isDisabled: boolean;
  readonly onChange: (choice: AnimationChoice) => void;
}

export const AnimationFields = ({ recording, range, choice, isDisabled, onChange }: AnimationFieldsProps) => {
  const { animatedImage } = useAppStores();
  const { t } = useLocale();
  const words = t.recording.review.animation;
  const { id, durationMs, width: whole } = recording;
  const { format, fps, width, plays } = choice;
  const { startMs, endMs } = range;
  const frames = framesOf(choice, range);
  const isTooLong = frames > ANIMATION_FRAMES_MAX;
  const isMaking = useStore(animatedImage.store, ({ part }) => part !== null);
  useEffect(() => {
    if (isTooLong) animatedImage.forget();
    else animatedImage.predict(id, { format, fps, width, plays, ...cutOf({ startMs, endMs }, durationMs) });
  }, [animatedImage, id, durationMs, format, fps, width, plays, startMs, endMs, isTooLong]);
  useEffect(() => animatedImage.forget, [animatedImage]);

  const change = (changed: Partial<AnimationChoice>): void => onChange({ ...choice, ...changed });
  const option = <N extends number>(value: N, title: string) => ({ value: String(value), title });
  return (
    <div className={choices.choices}>
      <RadioChoice
        look="segments"
        label={words.format}
        value={format}
        isDisabled={isDisabled}
        options={ANIMATION_FORMATS.map((value) => ({ value, title: FORMAT_NAMES[value] }))}
        onChange={(chosen) => change({ format: chosen })}
      />
      <div className={styles.pickers}>
        <Picker
          label={words.width}
          value={String(width ?? whole)}
          options={[
            option(whole, words.original(whole)),
            ...WIDTHS.filter((known) => known < whole)
              .toReversed()
              .map((known) => option(known, words.widthOf(known))),
          ]}
          isActive={false}
          isDisabled={isDisabled}
          onChange={(chosen) => change({ width: Number(chosen) === whole ? null : Number(chosen) })}
        />
        <Picker
          label={words.fps}
          value={String(fps)}
          options={FPS.map((known) => option(known, words.fpsOf(known)))}
          isActive={false}
          isDisabled={isDisabled}
          onChange={(chosen) => change({ fps: Number(chosen) })}
        />
        <Picker
          label={words.plays}
          value={String(plays)}
          options={PLAYS.map((known) => option(known, words.playsOf[known]))}
          isActive={false}
          isDisabled={isDisabled}
          onChange={(chosen) => change({ plays: Number(chosen) })}
        />
      </div>
      {isTooLong && !isMaking ? (
        <p className={styles.facts} role="status">
          {words.tooLong(frames, ANIMATION_FRAMES_MAX)}
        </p>
      ) : (
        <Outcome format={format} />
      )}
    </div>
  );
};

/** The predicted size, the progress, where it was saved, or why it cannot be made. */
const Outcome = ({ format }: Pick<AnimationChoice, 'format'>) => {
  const { animatedImage } = useAppStores();
  const { t, format: formatted, failure: describe } = useLocale();
  const words = t.recording.review.animation;
  const { predicted, failure, part, savedTo } = useStore(animatedImage.store);
  if (part !== null)
    return (
      <div className={styles.making}>
        <ProgressBar
          label={words.making}
          valueText={formatted.percent(part)}
          fraction={part === 0 ? null : part}
          tone="moving"
        />
        <Button icon={X} onPress={animatedImage.stop}>
          {words.cancel}
        </Button>
      </div>
    );
  const text = failure && describe(failure);
  return (
    <>
      {text && failure ? (
        <div role="alert">
          <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      ) : (
        <p className={styles.facts} role="status">
          {savedTo !== null
            ? words.saved(savedTo)
            : predicted === null
              ? words.predicting
              : words.predicted(
                  `${predicted.width} × ${predicted.height}`,
                  predicted.frames,
                  formatted.bytes(predicted.bytes),
                )}
        </p>
      )}
      {format === 'gif' && <p className={styles.hint}>{words.gif}</p>}
    </>
  );
};
