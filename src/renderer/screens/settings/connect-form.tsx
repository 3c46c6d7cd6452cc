/** Server and key. The key stays in this form until it is sent, and is forgotten as soon as it was accepted. */

import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../contract/errors.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Advice } from '../../parts/advice.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import {
  checkKey,
  checkServer,
  completeServer,
  fieldOf,
  type KeyProblem,
  type ServerProblem,
} from '../../stores/connect-check.ts';
import { useApp, useLanding, usePage } from '../../stores/use-page.tsx';
import styles from './connect-form.module.css';

interface Problems {
  readonly server: ServerProblem | null;
  readonly key: KeyProblem | null;
}

const NO_PROBLEMS: Problems = { server: null, key: null };

/** `title` null: the form stands under a heading of its own. */
export const ConnectForm = ({ title }: { readonly title: string | null }) => {
  const { engine, view } = usePage();
  const { t, failure: describe } = useLocale();
  const landing = useLanding();
  const known = useApp(({ connection }) => (connection.state === 'failed' ? connection.server : ''));
  const form = useRef<HTMLFormElement>(null);
  const [server, setServer] = useState(known);
  const [key, setKey] = useState('');
  const [isShown, setShown] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [failure, setFailure] = useState<Failure | null>(null);

  const focus = (field: 'server' | 'key') => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus();

  useEffect(() => {
    if (landing !== 'connect') return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector<HTMLInputElement>(known === '' ? '[name=server]' : '[name=key]')?.focus();
    view.landed();
  }, [landing, view, known]);

  const connect = async (event: FormEvent) => {
    event.preventDefault();
    const address = completeServer(server);
    const found: Problems = { server: checkServer(address), key: checkKey(key.trim()) };
    setProblems(found);
    setFailure(null);
    if (found.server || found.key) return focus(found.server ? 'server' : 'key');
    setBusy(true);
    const result = await engine.ask('connection.connect', { server: address, key: key.trim() });
    setBusy(false);
    if (result.ok) {
      setKey('');
      return;
    }
    setFailure(result.error);
    focus(fieldOf(result.error.code) ?? 'server');
  };

  const text = failure && describe(failure);
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={(event) => void connect(event)}>
      {title !== null && <h3>{title}</h3>}
      <TextField
        label={t.settings.serverLabel}
        name="server"
        inputMode="url"
        autoComplete="url"
        placeholder={t.settings.serverPlaceholder}
        value={server}
        onChange={setServer}
        error={problems.server && t.settings[problems.server]}
      />
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
      {text && failure && (
        <div role="alert">
          <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      )}
      <div className={styles.foot}>
        <p className={styles.hint}>{t.settings.connectHint}</p>
        <Button type="submit" tone="primary" isPending={isBusy}>
          {t.settings.connect}
        </Button>
      </div>
    </form>
  );
};
