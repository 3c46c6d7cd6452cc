/**
 * Menu of a queue item: moves the item in the queue, as an alternative to dragging, and copies the text of a picture.
 */

import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, Ellipsis, ScanText } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components/Menu';
import { IconButton } from '../../../components/buttons/button.tsx';
import { Menu, MenuItem } from '../../../components/buttons/menu.tsx';
import { useLocale } from '../../../locales/locale.tsx';

export interface QueuePosition {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

// Constant objects, so that a row renders again only when its own position changes.
const ONLY: QueuePosition = { isFirst: true, isLast: true };
const FIRST: QueuePosition = { isFirst: true, isLast: false };
const MIDDLE: QueuePosition = { isFirst: false, isLast: false };
const LAST: QueuePosition = { isFirst: false, isLast: true };

export const queuePositionOf = (index: number, count: number): QueuePosition => {
  if (count === 1) return ONLY;
  if (index === 0) return FIRST;
  return index === count - 1 ? LAST : MIDDLE;
};

type Target = 'top' | 'up' | 'down' | 'end';

interface QueueItemMenuProps {
  readonly name: string;
  readonly place: QueuePosition;
  readonly onMove: (to: Target) => void;
  /** Copies the text of a picture; absent for anything else. */
  readonly onCopyText?: (() => void) | undefined;
}

export const QueueItemMenu = ({ name, place, onMove, onCopyText }: QueueItemMenuProps) => {
  const { t } = useLocale();
  const { actions } = t.queue;
  const entries = [
    { to: 'top', icon: ArrowUpToLine, words: actions.moveTop, off: place.isFirst },
    { to: 'up', icon: ArrowUp, words: actions.moveUp, off: place.isFirst },
    { to: 'down', icon: ArrowDown, words: actions.moveDown, off: place.isLast },
    { to: 'end', icon: ArrowDownToLine, words: actions.moveEnd, off: place.isLast },
  ] as const;
  return (
    <MenuTrigger>
      <IconButton
        icon={Ellipsis}
        label={actions.more(name)}
        isDisabled={place.isFirst && place.isLast && !onCopyText}
      />
      <Menu placement="bottom end">
        {entries.map(({ to, icon, words, off }) => (
          <MenuItem key={to} icon={icon} words={words} isDisabled={off} onAction={() => onMove(to)} />
        ))}
        {onCopyText && <MenuItem icon={ScanText} words={t.pictureText.copyText} onAction={onCopyText} />}
      </Menu>
    </MenuTrigger>
  );
};
