/** Upload settings, and defaults for new links. */

import type { Settings } from '../../../../ipc/protocol/settings.ts';
import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { Row } from '../setting-row.tsx';

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
