/**
 * Card of one setting, or of several that the settings search finds as a whole. It is highlighted while the search
 * finds it.
 */

import { type ReactNode, use } from 'react';
import { Card } from '../../components/card.tsx';
import { FoundContext } from './setting-row.tsx';
import type { SettingId } from './settings-search-index.ts';

interface SettingCardProps {
  readonly id: SettingId;
  readonly title: string;
  readonly children: ReactNode;
}

export const SettingCard = ({ id, title, children }: SettingCardProps) => (
  <Card setting={id} title={title} isHighlighted={use(FoundContext).has(id)}>
    {children}
  </Card>
);
