/** Says when nothing can be published now, why, and what to do about it. */

import { KeyRound, RefreshCw } from 'lucide-react';
import { retryOf } from '../../contract/errors.ts';
import { useLocale } from '../locales/locale.tsx';
import { Advice } from '../parts/advice.tsx';
import { Button } from '../parts/button.tsx';
import { useApp, useLink, usePage, useScreen } from '../stores/use-page.tsx';

/** The engine's host itself is gone, or is another one than this page was made for. */
export const LinkBanner = () => {
  const { t } = useLocale();
  const link = useLink();
  if (link === 'up') return null;
  const isStranger = link === 'refused';
  return (
    <div role="alert">
      <Advice
        tone="bad"
        title={isStranger ? t.app.linkRefused : t.app.linkDown}
        sentences={[isStranger ? t.app.linkRefusedAdvice : t.app.linkDownAdvice]}
      />
    </div>
  );
};

export const ConnectionBanner = () => {
  const { engine, view } = usePage();
  const { t, failure: describe } = useLocale();
  const connection = useApp((app) => app.connection);
  const screen = useScreen();
  // The settings say it themselves, with the form beside it.
  if (screen === 'settings') return null;

  if (connection.state === 'none') {
    return (
      <Advice tone="plain" title={t.connection.none} sentences={[t.connection.noneAdvice]}>
        <Button tone="primary" icon={KeyRound} onPress={view.connect}>
          {t.connection.connect}
        </Button>
      </Advice>
    );
  }
  if (connection.state !== 'failed') return null;

  const { failure } = connection;
  const { title, advice } = describe(failure);
  const needsKey = retryOf(failure.code) === 'reconnect';
  return (
    <div role="alert">
      <Advice
        tone={needsKey ? 'bad' : 'warn'}
        title={title}
        sentences={[advice, t.connection.queueKept]}
        failure={failure}
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
      </Advice>
    </div>
  );
};
