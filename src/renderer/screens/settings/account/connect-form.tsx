/**
 * Form that connects to a server by approval in a browser or with an API key. A key that the server refuses stays in
 * the form.
 */

import { Eye, EyeOff, Globe } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../../api/errors.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores, useFocusTarget } from '../../../stores/use-app-stores.tsx';
import styles from './connect-form.module.css';
import {
  checkKey,
  checkServer,
  completeServer,
  fieldOf,
  type KeyProblem,
  type ServerProblem,
} from './validate-connect-form.ts';

interface Problems {
  readonly server: ServerProblem | null;
  readonly key: KeyProblem | null;
}

const NO_PROBLEMS: Problems = { server: null, key: null };

interface ConnectFormProps {
  /** Null: the form has a heading elsewhere. */
  readonly title: string | null;
  /** What the address field begins with; empty: nothing is known. */
  readonly server: string;
}

export const ConnectForm = ({ title, server: first }: ConnectFormProps) => {
  const { engine, view } = useAppStores();
  const { t, failure: describe } = useLocale();
  const landing = useFocusTarget();
  const ended = useApp(({ authorization }) => (authorization?.state === 'failed' ? authorization : null));
  const known = useApp(({ connection }) => (connection.state === 'failed' ? connection.server : ''));
  const form = useRef<HTMLFormElement>(null);
  const [server, setServer] = useState(ended?.server ?? (first === '' ? known : first));
  const [key, setKey] = useState('');
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState<'key' | 'browser' | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const typed = completeServer(server);
  const wrong = checkServer(typed);
  const target = wrong === null && typed !== server.trim() ? t.settingsMore.account.willConnect(typed) : '';
  const [failure, setFailure] = useState<Failure | null>(ended?.failure ?? null);

  const focus = (field: 'server' | 'key') => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();

  useEffect(() => {
    if (landing !== 'connect') return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector<HTMLInputElement>(known === '' ? '[name=server]' : '[name=key]')?.focus();
    view.clearFocusTarget();
  }, [landing, view, known]);

  const connect = async (event: FormEvent) => {
    event.preventDefault();
    const address = completeServer(server);
    const found: Problems = { server: checkServer(address), key: checkKey(key.trim()) };
    setProblems(found);
    setFailure(null);
    if (found.server || found.key) return focus(found.server ? 'server' : 'key');
    setBusy('key');
    const result = await engine.ask('connection.connect', { server: address, key: key.trim() });
    setBusy(null);
    if (result.ok) {
      setKey('');
      return;
    }
    setFailure(result.error);
    focus(fieldOf(result.error.code) ?? 'server');
  };

  const authorize = async () => {
    const address = completeServer(server);
    const found: Problems = { server: checkServer(address), key: null };
    setProblems(found);
    setFailure(null);
    if (found.server) return focus('server');
    setBusy('browser');
    const result = await engine.ask('connection.authorize', { server: address, open: 'browser' });
    setBusy(null);
    if (result.ok) return;
    setFailure(result.error);
    focus('server');
  };

  const text = failure && describe(failure);
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={(event) => void connect(event)}>
      {title !== null && <h3>{title}</h3>}
      <div className={styles.server}>
        <TextField
          label={t.settings.serverLabel}
          name="server"
          inputMode="url"
          autoComplete="url"
          placeholder={t.settings.serverPlaceholder}
          value={server}
          onChange={(text) => {
            setServer(text);
            // An error disappears as soon as the input is valid; incomplete input is not an error yet.
            if (checkServer(completeServer(text)) === null) setProblems((now) => ({ ...now, server: null }));
          }}
          onBlur={() => setProblems((now) => ({ ...now, server: server.trim() === '' ? now.server : wrong }))}
          error={problems.server && t.settings[problems.server]}
        />
        <p className={styles.target} aria-live="polite" title={target}>
          {target}
        </p>
      </div>
      {text && failure && (
        <div role="alert">
          <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      )}
      <div className={styles.foot}>
        <p className={styles.hint}>{t.settings.authorize.hint}</p>
        <Button
          tone="primary"
          icon={Globe}
          isPending={isBusy === 'browser'}
          isDisabled={isBusy === 'key'}
          onPress={() => void authorize()}
        >
          {t.settings.authorize.button}
        </Button>
      </div>
      <p className={styles.or}>{t.settings.authorize.or}</p>
      <TextField
        label={t.settings.keyLabel}
        name="key"
        type={isShown ? 'text' : 'password'}
        autoComplete="off"
        value={key}
        onChange={setKey}
        error={problems.key && t.settings[problems.key]}
        aside={
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={isShown ? t.settings.hideKey : t.settings.showKey}
            onPress={() => setShown(!isShown)}
          />
        }
      />
      <div className={styles.foot}>
        <p className={styles.hint}>{t.settings.connectHint}</p>
        <Button type="submit" isPending={isBusy === 'key'} isDisabled={isBusy === 'browser'}>
          {t.settings.connect}
        </Button>
      </div>
    </form>
  );
};
