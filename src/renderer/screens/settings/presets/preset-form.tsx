/** Creates or edits a preset. Values left "as usual" are not part of it. */

import { type FormEvent, useState } from 'react';
import { TTLS, VISIBILITIES } from '../../../../api/content.ts';
import type { Failure } from '../../../../api/errors.ts';
import type { Preset } from '../../../../ipc/protocol/link-settings.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { Advice } from '../../../components/overlays/advice.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './presets.module.css';

type PresetLink = Preset['link'];

/** Represents a value the preset does not set. */
const USUAL = 'usual';
const NAME_MAX = 60;

/** Null: unlimited; NaN: invalid. */
const limitOf = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed.trim()));

interface PresetFormProps {
  /** Null: a new preset. */
  readonly preset: Preset | null;
  readonly onDone: () => void;
}

export const PresetForm = ({ preset, onDone }: PresetFormProps) => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const words = t.settingsMore.presets;
  const presets = useApp(({ settings }) => settings.presets);
  const [name, setName] = useState(preset?.name ?? '');
  const [link, setLink] = useState<PresetLink>(preset?.link ?? {});
  const [views, setViews] = useState(preset?.link.viewLimit?.toString() ?? '');
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const limit = limitOf(views);
  const wrongViews = limit !== null && !(Number.isInteger(limit) && limit > 0);
  const wrongName = problemOf(
    name.trim(),
    presets.filter(({ id }) => id !== preset?.id),
  );

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrongName !== null || wrongViews) return;
    const { viewLimit: _, ...rest } = link;
    const presetLink: PresetLink = limit === null ? rest : { ...rest, viewLimit: limit };
    const saved = await engine.ask('preset.save', {
      ...(preset && { id: preset.id }),
      name: name.trim(),
      link: presetLink,
    });
    if (saved.ok) onDone();
    else setFailure(saved.error);
  };

  const text = failure && describe(failure);
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
      <h3>{preset ? words.editTitle(preset.name) : words.newTitle}</h3>
      <TextField
        label={words.name}
        name="presetName"
        autoComplete="off"
        autoFocus
        placeholder={words.namePlaceholder}
        value={name}
        onChange={setName}
        error={isTried && wrongName !== null ? words[wrongName] : null}
      />
      <RadioChoice
        look="segments"
        label={t.panels.link.visibility}
        value={link.visibility ?? USUAL}
        options={[
          { value: USUAL, title: words.asAccount },
          ...VISIBILITIES.map((value) => ({ value, title: t.library.visibility[value] })),
        ]}
        onChange={(value) =>
          setLink(({ visibility: _, ...rest }) => (value === USUAL ? rest : { ...rest, visibility: value }))
        }
      />
      <RadioChoice
        look="segments"
        label={t.panels.link.expiry}
        value={link.ttl ?? USUAL}
        options={[
          { value: USUAL, title: words.asAccount },
          ...TTLS.map((value) => ({ value, title: t.panels.link.ttl[value] })),
        ]}
        onChange={(value) => setLink(({ ttl: _, ...rest }) => (value === USUAL ? rest : { ...rest, ttl: value }))}
      />
      <Toggle
        label={t.panels.link.oneTime}
        hint={t.panels.link.oneTimeHint}
        isOn={link.oneTime ?? false}
        onChange={(isOn) => setLink(({ oneTime: _, ...rest }) => (isOn ? { ...rest, oneTime: true } : rest))}
      />
      <Toggle
        label={words.download}
        hint={words.downloadHint}
        isOn={link.allowDownload ?? true}
        onChange={(isOn) =>
          setLink(({ allowDownload: _, ...rest }) => (isOn ? rest : { ...rest, allowDownload: false }))
        }
      />
      <div className={styles.views}>
        <TextField
          label={words.views}
          name="presetViews"
          inputMode="numeric"
          autoComplete="off"
          value={views}
          onChange={setViews}
          error={wrongViews ? words.viewsWrong : null}
        />
        <p className={styles.quiet}>{words.viewsHint}</p>
      </div>
      {text && failure && (
        <div role="alert">
          <Advice tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
        </div>
      )}
      <div className={styles.answers}>
        <Button onPress={onDone}>{words.cancel}</Button>
        <Button tone="primary" type="submit">
          {words.save}
        </Button>
      </div>
    </form>
  );
};

const problemOf = (name: string, others: readonly Preset[]): 'nameMissing' | 'nameLong' | 'nameTaken' | null => {
  if (name === '') return 'nameMissing';
  if (name.length > NAME_MAX) return 'nameLong';
  return others.some((other) => other.name.toLowerCase() === name.toLowerCase()) ? 'nameTaken' : null;
};
