/**
 * The toolbars of the overlay: hints before a selection, and the actions of the selection afterwards. Both show where
 * the capture goes and, if it is uploaded, who can open it; in the second, an error takes the place of that line.
 */

import {
  Copy,
  Download,
  type LucideIcon,
  Maximize2,
  Pencil,
  Pin,
  RotateCcw,
  Ruler,
  Scan,
  ScanText,
  ScrollText,
  Send,
  Upload,
  Video,
  X,
} from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { Failure } from '../../api/errors.ts';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import type { CapturePurpose, Display } from '../../ipc/protocol/capture.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { Button, IconButton } from '../components/buttons/button.tsx';
import { plannedLink } from '../components/links/unpublished-link-settings.ts';
import type { Messages } from '../locales/en.ts';
import { useLocale } from '../locales/locale.tsx';
import type { CameraChoice } from '../stores/captures/use-camera-choice.ts';
import { useApp } from '../stores/use-app-stores.tsx';
import styles from './bar.module.css';
import { CameraButton } from './camera-button.tsx';
import { KeyHint } from './key-hint.tsx';
import type { ChoosingSession } from './selection/selection-controller.ts';
import type { SelectionCommand } from './selection/selection-keys.ts';

type DestinationState = Pick<AppState, 'connection' | 'settings' | 'effective'>;

const whoOf = (facts: DestinationState, words: Messages['overlay']['destination']): string => {
  const { visibility, oneTime } = plannedLink(facts, {});
  const who = visibility === null ? words.unknown : words.who[visibility];
  return oneTime ? `${who}, ${words.once}` : who;
};

/** Describes where a capture goes and who can open it, shown before anything is uploaded. */
const describeDestination = (
  facts: DestinationState,
  purpose: CapturePurpose,
  words: Messages['overlay']['destination'],
): string => {
  const { connection, settings } = facts;
  if (purpose === 'text') return words.text;
  if (purpose === 'recording' && settings.reviewRecordings) return words.review;
  const isKept = purpose !== 'recording' && !settings.editAfterCapture && !settings.afterCapture.publish;
  if (connection.state === 'none') return isKept ? words.kept : words.nowhere;
  const place =
    connection.state === 'connected' && connection.keyPlace === 'embedded'
      ? words.tryOut
      : words.to(new URL(connection.server).host, whoOf(facts, words));
  return isKept ? words.keptUnlessShared(place) : place;
};

/** The line that shows where a capture goes and who can open it. */
const Destination = ({ purpose }: { readonly purpose: CapturePurpose }) => {
  const { t } = useLocale();
  const facts = useApp(useShallow(({ connection, settings, effective }) => ({ connection, settings, effective })));
  return (
    <p className={styles.destination}>
      <Send size={14} aria-hidden />
      {describeDestination(facts, purpose, t.overlay.destination)}
    </p>
  );
};

type ActionId = 'publish' | 'edit' | 'copy' | 'save' | 'pin' | 'text' | 'scroll';

const ICONS: Record<ActionId, LucideIcon> = {
  publish: Upload,
  edit: Pencil,
  copy: Copy,
  save: Download,
  pin: Pin,
  text: ScanText,
  scroll: ScrollText,
};
// Browsers reserve Ctrl+T.
const KEYS: Record<ActionId, string> = {
  publish: 'Ctrl+U',
  edit: 'Ctrl+E',
  copy: 'Ctrl+C',
  save: 'Ctrl+S',
  pin: 'P',
  text: 'T',
  scroll: 'S',
};

/** Of sessions with a single action. */
const OTHER_ICONS = { scrolling: ScrollText, recording: Video, text: ScanText } as const;
const OTHER_WORDS = { scrolling: 'scrolling', recording: 'record', text: 'copyText' } as const;

/** The first action that the settings apply to a capture. */
const defaultAction = ({ editAfterCapture, afterCapture }: Settings): ActionId => {
  if (editAfterCapture) return 'edit';
  if (afterCapture.publish) return 'publish';
  if (afterCapture.copyPicture) return 'copy';
  return afterCapture.pin && !afterCapture.save ? 'pin' : 'save';
};

interface ActionBarProps {
  readonly session: ChoosingSession;
  readonly isBusy: boolean;
  readonly failed: Failure | null;
  readonly camera: CameraChoice;
  readonly onOrder: (order: SelectionCommand) => void;
}

/** Actions for the selected region. The first button is the default action from the settings, which Enter runs. */
export const ActionBar = ({ session, isBusy, failed, camera, onOrder }: ActionBarProps) => {
  const locale = useLocale();
  const { t } = locale;
  const defaultId = useApp(({ settings }) => defaultAction(settings));
  const canPin = useApp(({ capabilities }) => capabilities.pins);
  const others = (['publish', 'edit', 'copy', 'save', 'pin', 'text', 'scroll'] as const).filter(
    (id) => id !== defaultId && (id !== 'pin' || canPin),
  );
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.overlay.actions}>
      <div className={styles.row}>
        <Button
          tone="primary"
          icon={session.purpose === 'picture' ? ICONS[defaultId] : OTHER_ICONS[session.purpose]}
          isDisabled={isBusy}
          onPress={() => onOrder({ order: 'enter' })}
        >
          {session.purpose === 'picture' ? t.overlay[defaultId] : t.overlay[OTHER_WORDS[session.purpose]]}
          <KeyHint name="Enter" />
        </Button>
        <div className={styles.tools}>
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
                  {t.overlay[id]} <KeyHint look="spoken" name={KEYS[id]} />
                </Button>
              ))}
            </div>
          )}
          {session.purpose === 'recording' && <CameraButton camera={camera} isDisabled={isBusy} />}
          <IconButton
            icon={X}
            label={t.overlay.cancel}
            isDisabled={isBusy}
            onPress={() => onOrder({ order: 'cancel' })}
          />
        </div>
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

interface HintBarProps {
  readonly session: ChoosingSession;
  readonly display: Display;
  readonly shows: 'all' | number;
  readonly isMeasuring: boolean;
  readonly camera: CameraChoice;
  readonly onOrder: (order: SelectionCommand) => void;
  readonly onRuler: () => void;
}

/** Shown before anything is selected: instructions, alternatives to dragging, and the destination. */
export const HintBar = ({ session, display, shows, isMeasuring, camera, onOrder, onRuler }: HintBarProps) => {
  const { t } = useLocale();
  const { mode, windows, displays, last, purpose } = session;
  const hints = t.overlay.hints;
  const dragHint = windows.length > 0 ? hints.region : hints.drag;
  const plainHint = mode === 'screen' || mode === 'window' ? hints[mode] : dragHint;
  return (
    <div className={styles.dock}>
      <div className={styles.bar}>
        <div className={styles.row}>
          <p className={styles.hint}>{isMeasuring ? hints.ruler : plainHint}</p>
          {displays.length > 1 && (
            <fieldset className={styles.screens} aria-label={t.overlay.screens}>
              {displays.map(({ number, name }) => (
                <button
                  key={number}
                  type="button"
                  className={styles.screen}
                  aria-label={t.overlay.screen(number, name)}
                  aria-pressed={number === display.number}
                  aria-keyshortcuts={String(number)}
                  onClick={() => onOrder({ order: 'screen', number })}
                >
                  {number}
                </button>
              ))}
            </fieldset>
          )}
          <div className={styles.actions}>
            {last !== null && (
              <Button tone="quiet" icon={RotateCcw} onPress={() => onOrder({ order: 'last' })}>
                {t.overlay.last}
                <KeyHint name="L" />
              </Button>
            )}
            <Button tone="quiet" icon={Scan} onPress={() => onOrder({ order: 'whole' })}>
              {t.overlay.whole}
              <KeyHint name="Ctrl+A" />
            </Button>
            <Button tone="quiet" icon={Ruler} aria-pressed={isMeasuring} onPress={onRuler}>
              {t.overlay.ruler}
              <KeyHint name="R" />
            </Button>
            {purpose === 'recording' && <CameraButton camera={camera} isDisabled={false} />}
            {shows === 'all' && <FullScreen />}
            <Button tone="quiet" icon={X} onPress={() => onOrder({ order: 'cancel' })}>
              {t.overlay.cancel}
              {/* With the ruler, Escape only switches that off. */}
              {!isMeasuring && <KeyHint name="Esc" />}
            </Button>
          </div>
        </div>
        <Destination purpose={purpose} />
      </div>
    </div>
  );
};

/** Without the browser's own bars, a screenshot of the same screen fits pixel for pixel. */
const FullScreen = () => {
  const { t } = useLocale();
  return (
    <IconButton
      icon={Maximize2}
      label={t.overlay.fullScreen}
      // A refusal of the browser changes nothing.
      onPress={() => void document.documentElement.requestFullscreen().catch(() => {})}
    />
  );
};
