/** Checklist of first steps for new users: each step completes by itself and can be skipped. */

import { Check, Minus, X } from 'lucide-react';
import { type ReactNode, useEffect, useId } from 'react';
import { unreachable } from '../../../api/errors.ts';
import type { FirstStep } from '../../../ipc/protocol/settings.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { cx } from '../../design/class-names.ts';
import { useFileInput } from '../../file-input/file-input.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { useWorkingKeys } from '../../stores/use-working-keys.ts';
import { useHotkeyTest } from '../settings/hotkeys/use-hotkey-test.ts';
import styles from './first-steps-card.module.css';
import type { FirstSteps, Step } from './use-first-steps.ts';

export const FirstStepsCard = ({ steps, finish, skip, hide }: FirstSteps) => {
  const { t } = useLocale();
  const words = t.welcome;
  const title = useId();
  const done = steps.filter(({ state }) => state === 'done').length;
  const isFinished = steps.every(({ state }) => state !== 'open');
  const progress = words.progress(done, steps.length);
  return (
    <section className={styles.card} aria-labelledby={title}>
      <div className={styles.head}>
        <h2 id={title}>{isFinished ? words.over : words.steps(steps.length)}</h2>
        <span className={styles.quiet}>{isFinished ? words.overText : progress}</span>
        <IconButton icon={X} label={words.hide} onPress={hide} />
      </div>
      <VisuallyHidden live>{progress}</VisuallyHidden>
      <ol className={styles.steps} aria-labelledby={title}>
        {steps.map((step, index) => (
          <StepRow key={step.id} step={step} number={index + 1} onFinish={finish} onSkip={skip} />
        ))}
      </ol>
    </section>
  );
};

interface StepProps {
  readonly step: Step;
  readonly onFinish: (id: FirstStep) => void;
  readonly onSkip: (id: FirstStep) => void;
}

const StepRow = ({ number, ...props }: StepProps & { readonly number: number }) => {
  switch (props.step.id) {
    case 'connect':
      return <ConnectStep {...props} number={number} />;
    case 'hotkey':
      return <HotkeyStep {...props} number={number} />;
    case 'link':
      return <LinkStep {...props} number={number} />;
    default:
      return unreachable(props.step.id);
  }
};

type RowProps = StepProps & { readonly number: number };

const ConnectStep = (props: RowProps) => {
  const { view } = useAppStores();
  const words = useLocale().t.welcome.connect;
  const connection = useApp((app) => app.connection);
  const isBuiltIn = connection.state === 'connected' && connection.keyPlace === 'embedded';
  // A completed step stays completed, even after the account is removed.
  const place = connection.state === 'none' ? null : (URL.parse(connection.server)?.host ?? connection.server);
  const done = place === null ? words.text : words.done(place);
  return (
    <Line {...props} title={words.title} text={words.text} done={isBuiltIn ? words.builtIn : done}>
      <Button onPress={view.connect}>{words.action}</Button>
    </Line>
  );
};

const HotkeyStep = (props: RowProps) => {
  const { view } = useAppStores();
  const words = useLocale().t.welcome.hotkey;
  const test = useHotkeyTest('region');
  const keys = useWorkingKeys('region')?.join(' + ') ?? null;
  const { onFinish } = props;
  const hasWorked = test.result?.tone === 'good' && props.step.state !== 'done';
  useEffect(() => {
    if (hasWorked) onFinish('hotkey');
  }, [hasWorked, onFinish]);
  return (
    <Line
      {...props}
      title={words.title}
      text={test.result?.text ?? (keys === null ? words.none : words.text(keys))}
      done={words.done}
    >
      {keys === null ? (
        <Button onPress={() => view.section('hotkeys')}>{words.choose}</Button>
      ) : (
        <Button isDisabled={test.isRunning} onPress={test.run}>
          {words.action}
        </Button>
      )}
    </Line>
  );
};

const LinkStep = (props: RowProps) => {
  const { engine } = useAppStores();
  const { choose } = useFileInput();
  const words = useLocale().t.welcome.link;
  const canCapture = useApp(({ capabilities }) => capabilities.overlay !== 'none');
  const isBusy = useApp(({ capture }) => capture !== null);
  return (
    <Line {...props} title={words.title} text={canCapture ? words.textCapture : words.text} done={words.done}>
      {canCapture ? (
        <Button isDisabled={isBusy} onPress={() => void engine.run('capture.start', { mode: 'region' })}>
          {words.capture}
        </Button>
      ) : (
        <Button onPress={choose}>{words.choose}</Button>
      )}
    </Line>
  );
};

interface LineProps extends RowProps {
  readonly title: string;
  /** Text while the step is pending. */
  readonly text: string;
  /** Text once it is completed. */
  readonly done: string;
  /** Action buttons of the step. */
  readonly children: ReactNode;
}

const Line = ({ step: { id, state }, number, title, text, done, onSkip, children }: LineProps) => {
  const words = useLocale().t.welcome;
  return (
    <li className={cx(styles.step, styles[state])}>
      <span className={styles.sign} aria-hidden>
        {state === 'done' ? <Check size={16} strokeWidth={2.5} /> : state === 'skipped' ? <Minus size={16} /> : number}
      </span>
      <div className={styles.words}>
        <h3>
          {title} <VisuallyHidden>{words.state[state]}</VisuallyHidden>
        </h3>
        <p className={styles.quiet}>{state === 'done' ? done : state === 'skipped' ? words.state.skipped : text}</p>
      </div>
      {state === 'open' && (
        <div className={styles.actions}>
          {children}
          <Button tone="quiet" aria-label={words.skipNamed(title)} onPress={() => onSkip(id)}>
            {words.skip}
          </Button>
        </div>
      )}
    </li>
  );
};
