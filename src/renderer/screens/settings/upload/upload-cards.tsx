/** The cards of the settings section Upload: uploads, defaults for new links, and the format of copied links. */

import type { Content } from '../../../../api/content.ts';
import { formatLinks } from '../../../../ipc/protocol/format-links.ts';
import type { LinkFormat } from '../../../../ipc/protocol/link-settings.ts';
import type { Settings } from '../../../../ipc/protocol/settings.ts';
import { Card } from '../../../components/card.tsx';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { useFieldDraft } from '../../../components/fields/use-field-draft.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { SavedMark, useSavedSettings } from '../saved-mark.tsx';
import { Row } from '../setting-row.tsx';
import styles from './upload-cards.module.css';

const AT_ONCE = [1, 2, 3];

/** `account` represents null: a radio button needs a value. */
const VISIBILITIES = ['account', 'private', 'unlisted', 'public'] as const;

const toSetting = (value: (typeof VISIBILITIES)[number]): Settings['visibility'] =>
  value === 'account' ? null : value;

export const SharingCard = () => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const copyLink = useApp(({ effective }) => effective.copyLink);
  const atOnce = useApp(({ settings }) => settings.itemsAtOnce);
  const visibility = useApp(({ settings }) => settings.visibility);
  const isPrivateByDefault = useApp(({ connection }) =>
    connection.state === 'none' ? undefined : connection.account?.user.privateByDefault,
  );
  const accountDefault =
    isPrivateByDefault === undefined
      ? ''
      : ` ${t.settings.accountDefault[isPrivateByDefault ? 'private' : 'unlisted']}`;

  return (
    <Card title={t.settings.sharing}>
      <Row id="atOnce">
        <RadioChoice
          look="segments"
          label={t.settingsMore.upload.atOnce}
          value={String(atOnce)}
          options={AT_ONCE.map((value) => ({ value: String(value), title: format.number(value) }))}
          onChange={(value) => void engine.updateSettings({ itemsAtOnce: Number(value) })}
        />
      </Row>
      <Row id="copyLink">
        <Toggle
          label={t.settings.copyLink}
          hint={t.settings.copyLinkHint}
          isOn={copyLink}
          onChange={(isOn) => void engine.updateSettings({ copyLink: isOn })}
        />
      </Row>
      <Row id="visibility">
        <RadioChoice
          look="cards"
          label={t.settings.visibility}
          value={visibility ?? 'account'}
          options={VISIBILITIES.map((value) => {
            const { title, text } = t.settings.visibilities[value];
            return { value, title, text: value === 'account' ? `${text}${accountDefault}` : text };
          })}
          onChange={(value) => void engine.updateSettings({ visibility: toSetting(value) })}
        />
      </Row>
    </Card>
  );
};

const FORMATS: readonly LinkFormat[] = ['plain', 'markdown', 'html', 'bbcode', 'direct', 'template'];
const BLANKS = [
  '{url}',
  '{mediaUrl}',
  '{title}',
  '{name}',
  '{type}',
  '{size}',
  '{tags}',
  '{date}',
  '{time}',
  '{expires}',
];
const NO_SERVER = 'https://share.example.com';

/** An image as the service returns it. */
const sampleOf = (title: string, server: string): Content => ({
  id: 'k3v9qa7x' as Content['id'],
  title,
  tags: [],
  type: 'IMAGE',
  mime: 'image/png',
  revision: 1,
  accessVersion: 1,
  size: 482_133,
  visibility: 'unlisted',
  allowDownload: true,
  passwordProtected: false,
  oneTime: false,
  views: 0,
  createdAt: '2026-11-20T12:00:00.000Z',
  url: `${server}/s/k3v9qa7x`,
  mediaUrl: '/api/media/k3v9qa7x',
});

export const LinkFormatCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.format;
  const format = useApp(({ settings }) => settings.linkFormat);
  const stored = useApp(({ settings }) => settings.linkTemplate);
  const server = useApp(({ connection }) => (connection.state === 'none' ? NO_SERVER : connection.server));
  const [template, setTemplate] = useFieldDraft(stored);
  const [isSaved, store] = useSavedSettings();
  const isEmpty = template.trim() === '';
  const content = sampleOf(words.sample, URL.parse(server)?.origin ?? NO_SERVER);
  const example = formatLinks([{ name: `${words.sample}.png`, content }], { format, template });

  const save = () => {
    if (!isEmpty && template !== stored) store({ linkTemplate: template });
  };

  return (
    <Card title={words.card}>
      <Row id="linkFormat">
        <RadioChoice
          look="segments"
          label={words.label}
          value={format}
          options={FORMATS.map((value) => ({ value, title: words.formats[value] }))}
          onChange={(value) => void engine.updateSettings({ linkFormat: value })}
        />
        {format === 'template' && (
          <div className={styles.field}>
            <TextField
              label={words.template}
              name="linkTemplate"
              autoComplete="off"
              maxLength={2_000}
              value={template}
              onChange={setTemplate}
              onBlur={save}
              onKeyDown={(event) => {
                if (event.key === 'Enter') save();
              }}
              error={isEmpty ? words.templateEmpty : null}
              aside={<SavedMark isSaved={isSaved} />}
            />
            <p className={styles.hint}>
              {words.templateHint} <code>{BLANKS.join(' ')}</code>
            </p>
          </div>
        )}
        <figure className={styles.example}>
          <figcaption>{words.example}</figcaption>
          <code>{example}</code>
        </figure>
      </Row>
    </Card>
  );
};
