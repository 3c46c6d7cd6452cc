/** Banner about uploads that continue while the editor covers the window, with a way to them. */

import { CircleAlert, Upload } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import button from '../components/buttons/button.module.css';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { cx } from '../design/cx.ts';
import { useLocale } from '../locales/locale.tsx';
import type { WaitingCapture } from '../stores/captures/editing-store.ts';
import { needsUser, splitQueue } from '../stores/queue/item-view.ts';
import { useApp, useAppStores, usePendingFiles } from '../stores/use-app-stores.tsx';
import styles from './background-banner.module.css';

export const BackgroundBanner = ({ capture }: { readonly capture: WaitingCapture }) => {
  const { editing, view } = useAppStores();
  const { t } = useLocale();
  const pendingFiles = usePendingFiles();
  const { active } = splitQueue(useApp(({ queue }) => queue.items));
  const count = pendingFiles.length + active.length;
  const isAsked = active.some(needsUser) || pendingFiles.some(({ state }) => state === 'asking' || state === 'failed');
  const words = count === 0 ? '' : isAsked ? t.editor.behindAsks(count) : t.editor.behind(count);
  const Icon = isAsked ? CircleAlert : Upload;
  return (
    <>
      <VisuallyHidden live>{words}</VisuallyHidden>
      {count > 0 && (
        <TooltipTrigger delay={500}>
          <AriaButton
            className={cx(styles.behind, isAsked && styles.asks)}
            onPress={() => {
              editing.leave(capture.id);
              view.show('home');
            }}
          >
            <Icon size={15} aria-hidden />
            <span>{words}</span>
          </AriaButton>
          <Tooltip className={cx(button.tooltip)} offset={6}>
            {t.editor.behindHint}
          </Tooltip>
        </TooltipTrigger>
      )}
    </>
  );
};
