/** Actions for the selected region. The first button is the default action from the settings, which Enter runs. */

import { Copy, Download, type LucideIcon, Pencil, Upload, Video, X } from 'lucide-react';
import type { Failure } from '../../../api/errors.ts';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';
import type { Order } from '../selection/keys.ts';
import type { SelectionDeps } from '../selection/selection-controller.ts';
import styles from './bar.module.css';
import { Destination } from './destination.tsx';
import { Key } from './key-hint.tsx';

type ActionId = 'publish' | 'edit' | 'copy' | 'save';

const ICONS: Record<ActionId, LucideIcon> = { publish: Upload, edit: Pencil, copy: Copy, save: Download };
const KEYS: Record<ActionId, string> = { publish: 'U', edit: 'E', copy: 'C', save: 'S' };

/** The first action that the settings apply to a capture. */
const defaultAction = ({ editAfterCapture, afterCapture }: Settings): ActionId => {
  if (editAfterCapture) return 'edit';
  if (afterCapture.publish) return 'publish';
  return afterCapture.copyPicture ? 'copy' : 'save';
};

interface ActionBarProps {
  readonly session: SelectionDeps;
  readonly isBusy: boolean;
  readonly failed: Failure | null;
  readonly onOrder: (order: Order) => void;
}

export const ActionBar = ({ session, isBusy, failed, onOrder }: ActionBarProps) => {
  const locale = useLocale();
  const { t } = locale;
  const defaultId = useApp(({ settings }) => defaultAction(settings));
  const others = (['publish', 'edit', 'copy', 'save'] as const).filter((id) => id !== defaultId);
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.overlay.actions}>
      <div className={styles.row}>
        <Button
          tone="primary"
          icon={session.purpose === 'recording' ? Video : ICONS[defaultId]}
          isDisabled={isBusy}
          onPress={() => onOrder({ order: 'enter' })}
        >
          {session.purpose === 'recording' ? t.overlay.record : t.overlay[defaultId]}
          <Key name="Enter" />
        </Button>
        {session.purpose === 'picture' && (
          <div className={styles.actions}>
            {others.map((id) => (
              <Button
                key={id}
                tone="quiet"
                icon={ICONS[id]}
                isDisabled={isBusy}
                onPress={() => onOrder({ order: 'finish', way: id })}
              >
                {t.overlay[id]} <Key look="spoken" name={`Ctrl+${KEYS[id]}`} />
              </Button>
            ))}
          </div>
        )}
        <IconButton
          icon={X}
          label={t.overlay.cancel}
          isDisabled={isBusy}
          onPress={() => onOrder({ order: 'cancel' })}
        />
      </div>
      {failed ? (
        <p className={styles.failed} role="alert">
          {locale.failure(failed).title}. {locale.failure(failed).advice}
        </p>
      ) : (
        <Destination purpose={session.purpose} />
      )}
    </div>
  );
};
