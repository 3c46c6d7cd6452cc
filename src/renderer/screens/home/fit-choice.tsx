/** Says beforehand what making a video fit costs, and lets the person choose how it is done. */
import { Shrink } from 'lucide-react';
import type { FitChoice } from '../../../contract/queue-item.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Facts } from '../../parts/facts.tsx';
import type { Fitting, Offer } from '../../stores/intake.ts';
import { usePage } from '../../stores/use-page.tsx';
import styles from './fit-choice.module.css';
import { madeInWords } from './made-facts.ts';

const CHOICES: readonly FitChoice[] = ['balanced', 'smaller', 'sharper', 'clip'];

interface FitChoiceProps {
  readonly offer: Offer;
  readonly fitting: Fitting;
}

export const FitChoiceCard = ({ offer, fitting }: FitChoiceProps) => {
  const { intake } = usePage();
  const locale = useLocale();
  const { t, format } = locale;
  const { id, name, fit, state } = offer;
  const { losses, secondsNeeded } = fitting;
  const made = madeInWords({ kind: 'video', ...fitting }, locale);
  const missing = losses.map((loss) => t.fit.losses[loss]);
  return (
    <fieldset className={styles.card} aria-label={t.fit.title(name)}>
      <p className={styles.title}>{t.fit.heading}</p>
      <Facts facts={[<strong key="made">{made}</strong>, t.fit.takes(format.duration(secondsNeeded))]} />
      {missing.length > 0 && <p className={styles.losses}>{t.fit.lost(format.list(missing))}</p>}
      <Choice
        look="segments"
        label={t.fit.how}
        value={fit}
        options={CHOICES.map((value) => ({ value, title: t.fit.choices[value] }))}
        onChange={(chosen) => intake.choose(id, chosen)}
      />
      <div className={styles.actions}>
        <Button tone="primary" icon={Shrink} isPending={state === 'looking'} onPress={() => intake.accept(id)}>
          {t.fit.accept}
        </Button>
        <Button onPress={() => intake.cancel(id)}>{t.fit.decline}</Button>
      </div>
    </fieldset>
  );
};
