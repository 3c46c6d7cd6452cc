/** Presets of link settings: list, default for new items, create, edit and delete. */

import { BookmarkPlus, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Preset } from '../../../../ipc/protocol/link-settings.ts';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { Picker } from '../../../components/fields/picker.tsx';
import { EmptyState } from '../../../components/overlays/empty-state.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { PresetForm } from './preset-form.tsx';
import { presetInWords } from './preset-summary.ts';
import styles from './presets.module.css';

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
    <Card id="presets" title={words.card}>
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
                    <p className={styles.quiet}>{presetInWords(preset.link, t)}</p>
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
          {open === null && (
            <Button icon={Plus} onPress={() => setOpen('new')}>
              {words.make}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
};
