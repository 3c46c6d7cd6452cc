/** Link settings of the folder. */

import { TextField } from '../../components/fields/text-field.tsx';
import { type LinkChange, LinkOptions } from '../../components/links/link-options.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';
import { Card } from '../settings/card.tsx';

interface LinkCardProps {
  readonly title: string;
  readonly link: LinkChange;
  readonly onTitle: (title: string) => void;
  readonly onLink: (link: LinkChange) => void;
}

export const LinkCard = ({ title, link, onTitle, onLink }: LinkCardProps) => {
  const { t } = useLocale();
  const visibility = useApp(({ effective }) => effective.visibility);
  const value = {
    visibility: link.visibility ?? visibility,
    ttl: link.ttl ?? 'forever',
    oneTime: link.oneTime ?? false,
    endsAt: null,
  } as const;
  return (
    <Card title={t.folder.link.title}>
      <TextField
        label={t.folder.link.name}
        name="title"
        autoComplete="off"
        maxLength={180}
        value={title}
        onChange={onTitle}
        error={null}
      />
      <LinkOptions value={value} onChange={(change) => onLink({ ...link, ...change })} />
    </Card>
  );
};
