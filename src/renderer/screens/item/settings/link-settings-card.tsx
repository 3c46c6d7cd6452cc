/**
 * Card of the item page with the title, tags and link settings of a published item. Shows a change immediately, before
 * the service has confirmed it.
 */

import { useState } from 'react';
import { LIMITS } from '../../../../api/limits.ts';
import { isValidPassword } from '../../../../api/password-rules.ts';
import { exceedTagLimits, tagsOfLine } from '../../../../api/tag-rules.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import type { LinkSettings } from '../../../../ipc/protocol/link-settings.ts';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { LinkOptions } from '../../../components/links/link-options.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores, usePending } from '../../../stores/use-app-stores.tsx';
import { Section } from '../item-section.tsx';
import { usePlanRequirement } from '../use-plan-requirement.ts';
import { LinkSettingField } from './link-setting-field.tsx';
import styles from './link-settings-card.module.css';

interface TitleFieldProps {
  readonly title: string;
  readonly onChange: (title: string) => void;
}

/** Title of an item; saved with Enter or on blur. */
const TitleField = ({ title, onChange }: TitleFieldProps) => {
  const { t } = useLocale();
  const [typed, setTyped] = useFieldDraft(title);
  const save = (): void => {
    const wanted = typed.trim();
    // The service gives an item without a title that of its file: the field follows.
    setTyped(wanted === '' ? title : wanted);
    if (wanted !== title) onChange(wanted);
  };
  return (
    <TextField
      label={t.item.settings.name}
      error={null}
      maxLength={LIMITS.titleMaxCharacters}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape' || typed === title) return;
        event.preventDefault();
        setTyped(title);
      }}
    />
  );
};

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: string[]) => void;
}

/** Comma-separated tags of an item; saved with Enter or on blur. */
const TagsField = ({ tags, onChange }: TagsFieldProps) => {
  const { t } = useLocale();
  const words = t.item.settings;
  const [typed, setTyped] = useFieldDraft(tags.join(', '));
  const { tagsMax, tagMaxCharacters } = LIMITS;
  const wanted = tagsOfLine(typed, tags);
  const isTooMuch = exceedTagLimits(wanted);
  const save = (): void => {
    if (isTooMuch) return;
    setTyped(wanted.join(', '));
    if (wanted.join() !== tags.join()) onChange(wanted);
  };
  return (
    <TextField
      label={words.tags}
      placeholder={words.tagsHint}
      error={isTooMuch ? words.tagsWrong(tagsMax, tagMaxCharacters) : null}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape' || typed === tags.join(', ')) return;
        event.preventDefault();
        setTyped(tags.join(', '));
      }}
    />
  );
};

const DAY_MS = 86_400_000;

const two = (value: number): string => String(value).padStart(2, '0');
/** In the format of a `datetime-local` input. */
const localOf = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

interface EndFieldProps {
  readonly endsAt: Date | null;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly onChange: (expiresAt: string) => void;
  /** Called when no expiry is entered. */
  readonly onCancel: () => void;
}

/** Exact expiry of the link in this computer's time zone. */
const EndField = ({ endsAt, now, onChange, onCancel }: EndFieldProps) => {
  const { t, format } = useLocale();
  const words = t.item.settings;
  const missing = usePlanRequirement('link_expiry');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? localOf(endsAt ?? new Date(now + DAY_MS));
  return (
    <LinkSettingField
      label={words.end}
      hint={endsAt ? format.dateTime(endsAt) : (missing ?? words.endNever)}
      action={missing === null ? words.change : null}
      // The usual choices remove it.
      onRemove={null}
      isNew={endsAt === null && missing === null}
      onCancel={() => {
        setTyped(null);
        onCancel();
      }}
      input={(props) => (
        <input
          {...props}
          type="datetime-local"
          value={shown}
          min={localOf(new Date(now))}
          required
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      onSave={() => {
        const at = new Date(shown);
        if (!(at.getTime() > now)) return words.endPast;
        onChange(at.toISOString());
        setTyped(null);
        return null;
      }}
    />
  );
};

const DEFAULT_LIMIT = 10;

interface LimitFieldProps {
  readonly limit: number | null;
  readonly onChange: (limit: number | null) => void;
}

/** Maximum number of views of the link. */
const LimitField = ({ limit, onChange }: LimitFieldProps) => {
  const { t, format } = useLocale();
  const words = t.item.settings;
  const missing = usePlanRequirement('view_limit');
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? String(limit ?? DEFAULT_LIMIT);
  return (
    <LinkSettingField
      label={words.limit}
      hint={limit === null ? (missing ?? words.limitHint) : t.item.views.total(limit)}
      action={missing === null ? words.change : null}
      onRemove={limit === null ? null : () => onChange(null)}
      onCancel={() => setTyped(null)}
      input={(props) => (
        <input {...props} inputMode="numeric" value={shown} onChange={(event) => setTyped(event.currentTarget.value)} />
      )}
      onSave={() => {
        const wanted = Number(shown.trim());
        if (!Number.isInteger(wanted) || wanted < 1 || wanted > LIMITS.viewLimitMax)
          return words.limitWrong(format.number(LIMITS.viewLimitMax));
        onChange(wanted);
        setTyped(null);
        return null;
      }}
    />
  );
};

interface PasswordFieldProps {
  readonly isSet: boolean;
  /** Empty: removes the password. */
  readonly onChange: (password: string) => void;
}

/** Sets, changes and removes the password of a link. A stored password is never shown. */
const PasswordField = ({ isSet, onChange }: PasswordFieldProps) => {
  const { t } = useLocale();
  const words = t.item.settings;
  const [typed, setTyped] = useState('');
  const { passwordMinCharacters: least, passwordMaxCharacters: most } = LIMITS;
  return (
    <LinkSettingField
      label={words.password}
      hint={isSet ? words.passwordSet : words.passwordNone}
      action={isSet ? words.change : words.passwordAdd}
      onRemove={isSet ? () => onChange('') : null}
      onCancel={() => setTyped('')}
      input={(props) => (
        <input
          {...props}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      onSave={() => {
        if (!isValidPassword(typed)) return words.passwordShort(least, most);
        onChange(typed);
        setTyped('');
        return null;
      }}
    />
  );
};

interface LinkSettingsCardProps {
  readonly item: LibraryItem;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
}

export const LinkSettingsCard = ({ item, now }: LinkSettingsCardProps) => {
  const { changes } = useAppStores();
  const { t } = useLocale();
  const words = t.item.settings;
  const { id, content } = item;
  const isOnItsWay = usePending().some(({ ids }) => ids.includes(id));
  const endsAt = content.expiresAt == null ? null : new Date(content.expiresAt);
  const [isCustom, setCustom] = useState(false);
  const change = (update: LinkSettings): void => void changes.make([id], update);
  return (
    <Section
      title={words.title}
      aside={
        <span className={styles.saving} role="status">
          {isOnItsWay && <span>{words.saving}</span>}
        </span>
      }
    >
      <LinkOptions
        value={{
          visibility: content.visibility,
          ttl: endsAt === null ? 'forever' : null,
          oneTime: content.oneTime,
          // The field of the exact expiry shows it.
          endsAt: null,
        }}
        onChange={change}
        custom={{
          isChosen: isCustom || endsAt !== null,
          onChosen: setCustom,
          field: (
            <EndField
              endsAt={endsAt}
              now={now}
              onChange={(expiresAt) => change({ expiresAt })}
              onCancel={() => setCustom(false)}
            />
          ),
        }}
      />
      <LimitField limit={content.viewLimit ?? null} onChange={(viewLimit) => change({ viewLimit })} />
      <PasswordField isSet={content.passwordProtected} onChange={(password) => change({ password })} />
      <Toggle
        label={words.download}
        hint={words.downloadHint}
        isOn={content.allowDownload}
        onChange={(allowDownload) => change({ allowDownload })}
      />
      <TitleField title={content.title} onChange={(title) => change({ title })} />
      <TagsField tags={content.tags} onChange={(tags) => change({ tags })} />
    </Section>
  );
};
