/** Settings card of the presets of link settings: list, default for new items, create, edit and delete. */

import { BookmarkPlus, Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { TTLS, VISIBILITIES } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import { LIMITS } from '../../../api/limits.ts';
import { PRESETS_MAX, type Preset } from '../../../ipc/protocol/link-settings.ts';
import { Alert } from '../../components/alert.tsx';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { Picker } from '../../components/fields/picker.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Toggle } from '../../components/fields/toggle.tsx';
import { EmptyState } from '../../components/indicators/empty-state.tsx';
import type { Messages } from '../../locales/en.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './presets.module.css';
import { SettingCard } from './setting-card.tsx';

/** Short summary of a preset's link settings. */
const formatPreset = ({ visibility, ttl, oneTime, allowDownload, viewLimit }: Preset['link'], t: Messages): string => {
  const words = t.settingsMore.presets;
  const parts = [
    visibility && t.library.visibility[visibility],
    ttl && words.lasts[ttl],
    oneTime && words.onlyOnce,
    allowDownload === false && words.noDownload,
    viewLimit != null && words.viewsIn(viewLimit),
  ].filter((word) => typeof word === 'string');
  const summary = parts.join(' · ');
  return summary === '' ? words.nothing : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`;
};

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

/** Creates or edits a preset. Values left "as usual" are not part of it. */
const PresetForm = ({ preset, onDone }: PresetFormProps) => {
  const { engine } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const words = t.settingsMore.presets;
  const presets = useApp(({ settings }) => settings.presets);
  const [name, setName] = useState(preset?.name ?? '');
  const [link, setLink] = useState<PresetLink>(preset?.link ?? {});
  const [views, setViews] = useState(preset?.link.viewLimit?.toString() ?? '');
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const limit = limitOf(views);
  const wrongViews = limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.viewLimitMax);
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
        label={t.linkOptions.visibility}
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
        label={t.linkOptions.expiry}
        value={link.ttl ?? USUAL}
        options={[
          { value: USUAL, title: words.asAccount },
          ...TTLS.map((value) => ({ value, title: t.linkOptions.ttl[value] })),
        ]}
        onChange={(value) => setLink(({ ttl: _, ...rest }) => (value === USUAL ? rest : { ...rest, ttl: value }))}
      />
      <Toggle
        label={t.linkOptions.oneTime}
        hint={t.linkOptions.oneTimeHint}
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
          error={wrongViews ? words.viewsWrong(format.number(LIMITS.viewLimitMax)) : null}
        />
        <p className={styles.quiet}>{words.viewsHint}</p>
      </div>
      {text && failure && (
        <div role="alert">
          <Alert tone="bad" title={text.title} sentences={[text.advice]} failure={failure} />
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

/** Represents null: an option needs a value. */
const NONE = 'none';

export const PresetsCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.presets;
  const presets = useApp(({ settings }) => settings.presets);
  const usual = useApp(({ settings }) => settings.defaultPreset);
  /** The preset being edited or created. */
  const [open, setOpen] = useState<'new' | Preset['id'] | null>(null);
  const [removed, setRemoved] = useState<{ readonly preset: Preset; readonly wasUsual: boolean } | null>(null);

  const remove = async (preset: Preset) => {
    const wasUsual = usual === preset.id;
    if (await engine.run('preset.remove', { id: preset.id })) setRemoved({ preset, wasUsual });
  };
  const undo = async () => {
    if (removed === null) return;
    const { preset, wasUsual } = removed;
    if (!(await engine.run('preset.save', preset))) return;
    setRemoved(null);
    if (wasUsual) await engine.run('preset.makeDefault', { id: preset.id });
  };

  const isEmpty = presets.length === 0 && open === null;
  return (
    <SettingCard id="presets" title={words.card}>
      {isEmpty ? (
        <EmptyState icon={BookmarkPlus} title={words.emptyTitle} text={words.emptyText}>
          <Button tone="primary" icon={Plus} onPress={() => setOpen('new')}>
            {words.make}
          </Button>
        </EmptyState>
      ) : (
        <p className={styles.quiet}>{words.text}</p>
      )}
      {presets.length > 0 && (
        <ul className={styles.list} aria-label={words.card}>
          {presets.map((preset) =>
            open === preset.id ? (
              <li key={preset.id} className={styles.item}>
                <PresetForm preset={preset} onDone={() => setOpen(null)} />
              </li>
            ) : (
              <li key={preset.id} className={styles.item}>
                <div className={styles.line}>
                  <div className={styles.words}>
                    <p className={styles.name}>{preset.name}</p>
                    <p className={styles.quiet}>{formatPreset(preset.link, t)}</p>
                  </div>
                  <IconButton icon={Pencil} label={words.editNamed(preset.name)} onPress={() => setOpen(preset.id)} />
                  <IconButton
                    icon={Trash2}
                    label={words.removeNamed(preset.name)}
                    onPress={() => void remove(preset)}
                  />
                </div>
              </li>
            ),
          )}
        </ul>
      )}
      {removed && (
        <div className={styles.removed} role="status">
          <p>{words.removed(removed.preset.name)}</p>
          <Button tone="quiet" aria-label={words.undoNamed(removed.preset.name)} onPress={() => void undo()}>
            {t.settingsMore.undo}
          </Button>
        </div>
      )}
      {open === 'new' && <PresetForm preset={null} onDone={() => setOpen(null)} />}
      {presets.length > 0 && (
        <div className={styles.foot}>
          <div className={styles.usual}>
            <span aria-hidden>{words.forNew}</span>
            <Picker
              label={words.forNew}
              value={usual ?? NONE}
              isActive={usual !== null}
              options={[
                { value: NONE, title: words.forNewNone },
                ...presets.map(({ id, name }) => ({ value: id, title: name })),
              ]}
              onChange={(id) => void engine.run('preset.makeDefault', { id: id === NONE ? null : id })}
            />
          </div>
          {open === null && presets.length >= PRESETS_MAX && <p className={styles.quiet}>{words.full(PRESETS_MAX)}</p>}
          {open === null && presets.length < PRESETS_MAX && (
            <Button icon={Plus} onPress={() => setOpen('new')}>
              {words.make}
            </Button>
          )}
        </div>
      )}
    </SettingCard>
  );
};
