/** What happens with a new link: whether it is copied, and who can open it. */

import type { Settings } from '../../../contract/settings.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Toggle } from '../../parts/toggle.tsx';
import { useApp, usePage } from '../../stores/use-page.tsx';
import { Card } from './card.tsx';

/** `account` stands for null: a radio button needs a name. */
const VISIBILITIES = ['account', 'private', 'unlisted', 'public'] as const;

const toSetting = (value: (typeof VISIBILITIES)[number]): Settings['visibility'] =>
  value === 'account' ? null : value;

export const SharingCard = () => {
  const { engine } = usePage();
  const { t } = useLocale();
  const copyLink = useApp(({ effective }) => effective.copyLink);
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
      <Toggle
        label={t.settings.copyLink}
        hint={t.settings.copyLinkHint}
        isOn={copyLink}
        onChange={(isOn) => void engine.updateSettings({ copyLink: isOn })}
      />
      <Choice
        look="cards"
        label={t.settings.visibility}
        value={visibility ?? 'account'}
        options={VISIBILITIES.map((value) => {
          const { title, text } = t.settings.visibilities[value];
          return { value, title, text: value === 'account' ? `${text}${accountDefault}` : text };
        })}
        onChange={(value) => void engine.updateSettings({ visibility: toSetting(value) })}
      />
    </Card>
  );
};
