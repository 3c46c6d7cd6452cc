/**
 * The lower bar of the editor: shows where the image goes and who can see it, with the buttons that upload, copy, save
 * and pin it, and the switch that keeps the image on the clipboard up to date.
 */

import {
  ChevronDown,
  Clipboard,
  ClipboardCheck,
  ClipboardPen,
  ClipboardX,
  Copy,
  Download,
  Eye,
  Globe,
  Link2,
  Lock,
  type LucideIcon,
  Pin,
  Server,
  Upload,
} from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { DialogTrigger } from 'react-aria-components/Dialog';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useStore } from 'zustand';
import type { Visibility } from '../../../api/content.ts';
import { type AfterCapture, SINGLE_ACTION } from '../../../ipc/protocol/capture.ts';
import button from '../../components/buttons/button.module.css';
import { Button } from '../../components/buttons/button.tsx';
import { onlyFirstClick } from '../../components/buttons/only-first-click.ts';
import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { LinkOptions } from '../../components/links/link-options.tsx';
import { type LinkChoice, resolvedShare } from '../../components/links/unpublished-link-settings.ts';
import { usePlannedLink } from '../../components/links/use-planned-link.ts';
import { Popover } from '../../components/overlays/popover.tsx';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { ownKeys } from '../../locales/platform-keys.ts';
import type { ClipboardSync, SyncStatus } from '../../stores/captures/edited-capture-store.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { defaultAfterCapture, type ExportAction, exportActionsOf } from '../export-actions.ts';
import styles from './export-bar.module.css';

const VISIBILITY_ICONS: Readonly<Record<Visibility, LucideIcon>> = { private: Lock, unlisted: Link2, public: Globe };

interface ExportBarProps {
  readonly share: LinkChoice;
  readonly onShare: (share: LinkChoice) => void;
  /** Nothing can be exported before it is known whether there is a drawing. */
  readonly isOpening: boolean;
  readonly leaving: 'no' | 'making' | 'sending';
  readonly onLeave: (after: AfterCapture) => void;
  /** Null while there is no image to edit. */
  readonly copies: ClipboardSync | null;
  /** Additional notices. */
  readonly children: ReactNode;
}

const ICONS: Readonly<Record<ExportAction, LucideIcon>> = { publish: Upload, copy: Copy, save: Download, pin: Pin };
const KEYS: Readonly<Record<ExportAction, string>> = {
  publish: 'Ctrl+U',
  copy: 'Ctrl+C',
  save: 'Ctrl+S',
  pin: 'Ctrl+P',
};

export const ExportBar = ({ share, onShare, isOpening, leaving, onLeave, copies, children }: ExportBarProps) => {
  const { t, format } = useLocale();
  const settings = useApp((app) => app.settings);
  const usual = exportActionsOf(useApp(defaultAfterCapture));
  const isBusy = isOpening || leaving !== 'no';
  const canPin = useApp(({ capabilities }) => capabilities.pins);
  const others = (['pin', 'copy', 'save', 'publish'] as const).filter(
    (way) => (usual.length > 1 || way !== usual[0]) && (way !== 'pin' || canPin),
  );
  const LastIcon = ICONS[usual[0] ?? 'publish'];
  return (
    <section className={styles.bar} aria-label={t.editor.leaving}>
      <Destination share={share} onShare={onShare} leaving={leaving} />
      {children}
      <p className={styles.state} role="status">
        {leaving === 'no' ? '' : t.editor[leaving]}
      </p>
      {copies && <CopiesToggle copies={copies} />}
      <div className={styles.ways} onClickCapture={onlyFirstClick}>
        {others.map((way) => (
          <Keyed key={way} keys={KEYS[way]}>
            <Button icon={ICONS[way]} isDisabled={isBusy} onPress={() => onLeave(SINGLE_ACTION[way])}>
              {t.editor[way]}
            </Button>
          </Keyed>
        ))}
        <Keyed keys="Ctrl+Enter">
          <Button
            tone="primary"
            icon={LastIcon}
            isDisabled={isBusy}
            onPress={() => onLeave(usual.length === 1 ? SINGLE_ACTION[usual[0] ?? 'publish'] : settings.afterCapture)}
          >
            {format.list(usual.map((way, index) => (index === 0 ? t.editor[way] : t.editor[way].toLowerCase())))}
          </Button>
        </Keyed>
      </div>
    </section>
  );
};

const STATUS_ICONS: Readonly<Record<SyncStatus, LucideIcon>> = {
  off: Clipboard,
  pending: ClipboardPen,
  current: ClipboardCheck,
  outdated: ClipboardX,
};

/** Keeps the image on the clipboard up to date; its icon and its tooltip tell whether it is. */
const CopiesToggle = ({ copies }: { readonly copies: ClipboardSync }) => {
  const { editedCopies, engine } = useAppStores();
  const { t } = useLocale();
  const words = t.editor.copies;
  const isOn = useApp(({ settings }) => settings.copyWhileEditing);
  const status = useStore(copies.store, (state) => state.status);
  const Icon = STATUS_ICONS[status];
  if (!editedCopies.canCopy()) return null;
  return (
    <TooltipTrigger delay={500}>
      <ToggleButton
        aria-label={words.label}
        className={cx(button.button, button.iconOnly, button.quiet, styles.copies)}
        isSelected={isOn}
        onChange={(copyWhileEditing) => void engine.updateSettings({ copyWhileEditing })}
      >
        <Icon size={18} aria-hidden data-status={status} />
      </ToggleButton>
      <Tooltip className={cx(button.tooltip)} offset={6}>
        {`${words.label}. ${words.status[status]}`}
      </Tooltip>
    </TooltipTrigger>
  );
};

/** Tooltip with the shortcut of a button. */
const Keyed = ({ keys, children }: { readonly keys: string; readonly children: ReactElement }) => (
  <TooltipTrigger delay={500}>
    {children}
    <Tooltip className={cx(button.tooltip)} offset={6}>
      {ownKeys(keys)}
    </Tooltip>
  </TooltipTrigger>
);

const Destination = ({ share, onShare, leaving }: Pick<ExportBarProps, 'share' | 'onShare' | 'leaving'>) => {
  const { t } = useLocale();
  const connection = useApp((app) => app.connection);
  const link = usePlannedLink(share);
  if (connection.state === 'none')
    return (
      <p className={styles.nowhere}>
        <Server size={16} aria-hidden />
        {t.editor.nowhere}
      </p>
    );
  const isHere = connection.state === 'connected' && connection.keyPlace === 'embedded';
  const server = isHere ? t.editor.thisComputer : (URL.parse(connection.server)?.host ?? connection.server);
  const seen = [
    link.visibility && t.library.visibility[link.visibility],
    link.oneTime && t.editor.once,
    link.ttl && link.ttl !== 'forever' && t.editor.lasts[link.ttl],
  ].filter(Boolean);
  const words = seen.join(', ');
  const SeenIcon = link.visibility ? VISIBILITY_ICONS[link.visibility] : Eye;
  return (
    <DialogTrigger>
      <AriaButton className={cx(styles.destination)}>
        <VisuallyHidden>{t.editor.goesTo} </VisuallyHidden>
        <span className={styles.place}>
          <Server size={15} aria-hidden />
          <span className={styles.words}>{server}</span>
        </span>
        <VisuallyHidden>. </VisuallyHidden>
        <span className={styles.seen}>
          <SeenIcon size={15} aria-hidden />
          <span className={styles.words}>{words}</span>
        </span>
        <VisuallyHidden>. {t.editor.link}</VisuallyHidden>
        <ChevronDown size={14} aria-hidden />
      </AriaButton>
      <Popover label={t.editor.link} placement="top start" size="wide">
        <h2 className={styles.heading}>{t.editor.link}</h2>
        <LinkOptions
          value={link}
          isDisabled={leaving === 'sending'}
          onChange={(change) => onShare(resolvedShare(share, change, link))}
        />
      </Popover>
    </DialogTrigger>
  );
};
