/** The line that shows where a capture goes and who can open it. */

import { Send } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { CapturePurpose } from '../../../ipc/protocol/capture.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useApp } from '../../stores/use-app-stores.tsx';
import styles from './bar.module.css';
import { describeDestination } from './describe-destination.ts';

export const Destination = ({ purpose }: { readonly purpose: CapturePurpose }) => {
  const { t } = useLocale();
  const facts = useApp(useShallow(({ connection, settings, effective }) => ({ connection, settings, effective })));
  return (
    <p className={styles.destination}>
      <Send size={14} aria-hidden />
      {describeDestination(facts, purpose, t.overlay.destination)}
    </p>
  );
};
