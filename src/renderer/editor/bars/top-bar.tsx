/**
 * The top bar of the editor: leave, discard, name and size, tools, copying of text, search for secrets, undo, redo,
 * zoom, the list of marks, the background and the style bar.
 */

import { ArrowLeft, Redo2, ScanText, ShieldAlert, Trash2, Undo2, Wallpaper, ZoomIn, ZoomOut } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import button from '../../components/buttons/button.module.css';
import { IconButton } from '../../components/buttons/button.tsx';
import { cx } from '../../design/class-names.ts';
import { layBackdrop } from '../../drawing/backdrop-layout.ts';
import { frameOf } from '../../drawing/document.ts';
import { type EditorSession, shownDocument, shownFrame } from '../../drawing/editor-session.ts';
import { zoomOf } from '../../drawing/viewport.ts';
import { useLocale } from '../../locales/locale.tsx';
import { ownKeys } from '../../locales/platform-keys.ts';
import type { WaitingCapture } from '../../stores/captures/edited-capture-store.ts';
import { MarksList } from './marks-list.tsx';
import { StyleBar } from './style-bar.tsx';
import { ToolBar } from './tool-bar.tsx';
import styles from './top-bar.module.css';

const ZOOM_STEP = 1.25;

interface TopBarProps {
  readonly capture: WaitingCapture;
  /** Null while there is no image to edit. */
  readonly session: EditorSession | null;
  readonly onDiscard: () => void;
  readonly onBackdrop: () => void;
  readonly onCopyText: () => void;
  readonly onFindSecrets: () => void;
  readonly onLeave: () => void;
}

export const TopBar = ({
  capture,
  session,
  onDiscard,
  onBackdrop,
  onCopyText,
  onFindSecrets,
  onLeave,
}: TopBarProps) => {
  const { t } = useLocale();
  return (
    <header className={styles.bar}>
      <div className={styles.line}>
        <div className={styles.what}>
          <IconButton
            icon={ArrowLeft}
            label={capture.item === undefined ? t.editor.leave : t.editor.later}
            onPress={onLeave}
          />
          {capture.item === undefined && (
            <IconButton icon={Trash2} tone="danger" label={t.editor.discard} onPress={onDiscard} />
          )}
          <div className={styles.names}>
            <h1 className={styles.name} title={capture.name}>
              {capture.name}
            </h1>
            {session ? (
              <Size session={session} />
            ) : (
              <p className={styles.size}>{t.editor.size(capture.width, capture.height)}</p>
            )}
          </div>
        </div>
        {session && <ToolBar session={session} />}
        {session && (
          <div className={styles.view}>
            <Travel session={session} />
            <Zoom session={session} />
            <MarksList session={session} />
            <IconButton icon={Wallpaper} label={t.editor.withKey(t.editor.backdrop.title, 'F')} onPress={onBackdrop} />
            <IconButton icon={ScanText} label={t.pictureText.copyText} onPress={onCopyText} />
            <IconButton icon={ShieldAlert} label={t.pictureText.secrets.find} onPress={onFindSecrets} />
          </div>
        )}
      </div>
      {session && <StyleBar session={session} />}
    </header>
  );
};

const Size = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const { width, height } = useStore(
    session.store,
    useShallow((state) => {
      const document = shownDocument(state);
      const frame = frameOf(document);
      return document.backdrop ? layBackdrop(document.backdrop, frame).size : frame;
    }),
  );
  return <p className={styles.size}>{t.editor.size(width, height)}</p>;
};

const Travel = ({ session }: { readonly session: EditorSession }) => {
  const { t } = useLocale();
  const canUndo = useStore(session.store, ({ history }) => history.past.length > 0);
  const canRedo = useStore(session.store, ({ history }) => history.future.length > 0);
  return (
    <>
      <IconButton
        icon={Undo2}
        label={t.editor.withKey(t.editor.undo, ownKeys('Ctrl+Z'))}
        isDisabled={!canUndo}
        onPress={session.undo}
      />
      <IconButton
        icon={Redo2}
        label={t.editor.withKey(t.editor.redo, ownKeys('Ctrl+Y'))}
        isDisabled={!canRedo}
        onPress={session.redo}
      />
    </>
  );
};

const Zoom = ({ session }: { readonly session: EditorSession }) => {
  const { t, format } = useLocale();
  const zoom = useStore(session.store, (state) => zoomOf(state.view, shownFrame(state), state.viewport));
  const words = format.factor(zoom);
  return (
    <fieldset className={styles.zoom} aria-label={t.editor.zoom}>
      <IconButton
        icon={ZoomOut}
        label={t.editor.withKey(t.editor.zoomOut, ownKeys('Ctrl −'))}
        onPress={() => session.zoom(1 / ZOOM_STEP)}
      />
      <TooltipTrigger delay={500}>
        <AriaButton
          className={cx(button.button, button.quiet, styles.percent)}
          aria-label={t.editor.zoomFit(words)}
          onPress={() => session.zoom('fit')}
        >
          {words}
        </AriaButton>
        <Tooltip className={cx(button.tooltip)} offset={6}>
          {t.editor.withKey(t.editor.zoomFit(words), ownKeys('Ctrl+0'))}
        </Tooltip>
      </TooltipTrigger>
      <IconButton
        icon={ZoomIn}
        label={t.editor.withKey(t.editor.zoomIn, ownKeys('Ctrl +'))}
        onPress={() => session.zoom(ZOOM_STEP)}
      />
    </fieldset>
  );
};
