/** Link settings of a published item. Changes apply optimistically, including to the access sentence. */

import type { LinkSettings } from '../../../../ipc/protocol/link-settings.ts';
import type { LibraryItem } from '../../../../ipc/protocol/state.ts';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { LinkOptions } from '../../../components/links/link-options.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores, usePending } from '../../../stores/use-app-stores.tsx';
import { Section } from '../item-section.tsx';
import { EndField } from './expiry-field.tsx';
import { LimitField } from './limit-field.tsx';
import { PasswordField } from './password-field.tsx';
import styles from './settings-card.module.css';
import { TagsField } from './tags-field.tsx';
import { TitleField } from './title-field.tsx';

interface SettingsCardProps {
  readonly item: LibraryItem;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
}

export const SettingsCard = ({ item, now }: SettingsCardProps) => {
  const { changes } = useAppStores();
  const { t } = useLocale();
  const words = t.item.settings;
  const { id, content } = item;
  const isOnItsWay = usePending().some(({ ids }) => ids.includes(id));
  const endsAt = content.expiresAt == null ? null : new Date(content.expiresAt);
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
          // The expiry field below shows it.
          endsAt: null,
        }}
        onChange={change}
      />
      <EndField endsAt={endsAt} now={now} onChange={(expiresAt) => change({ expiresAt })} />
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
