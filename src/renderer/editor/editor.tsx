/** The editor of a capture. Nothing is uploaded without the user's action, and drawings are saved until then. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { AfterCapture } from '../../ipc/protocol/capture.ts';
import { LinkBanner } from '../app/connection-banner.tsx';
import { Button } from '../components/buttons/button.tsx';
import { Advice } from '../components/overlays/advice.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { WaitingCapture } from '../stores/captures/editing-store.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import { BackgroundBanner } from './background-banner.tsx';
import { ExportBar } from './bars/export-bar.tsx';
import { TopBar } from './bars/top-bar.tsx';
import { Canvas } from './canvas/canvas.tsx';
import type { Gestures } from './canvas/gestures.ts';
import { DiscardDialog } from './discard-dialog.tsx';
import { isEdited } from './document.ts';
import styles from './editor.module.css';
import type { EditorSession } from './editor-session.ts';
import { defaultAfterCapture, EXPORT_ACTIONS } from './export-actions.ts';
import { useEditorKeys } from './keyboard.ts';
import { exportPicture } from './picture/export-image.ts';
import { useEditorSession } from './use-editor-session.ts';

interface EditorProps {
  readonly capture: WaitingCapture;
}

/** A placeholder session for the key handler while there is no image. */
export default function Editor({ capture }: EditorProps) {
  const { editing, toasts } = useAppStores();
  const { t } = useLocale();
  const { work, retry } = useEditorSession(capture);
  const session = work.state === 'ready' ? work.drawing.session : null;
  const gestures = useRef<Gestures | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [isNotMade, setNotMade] = useState(false);
  const leaving = useStore(editing.store, (state) => state.leaving);
  const share = useStore(editing.store, (state) => state.share);
  const usual = useApp(defaultAfterCapture);
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    document.title = `${t.editor.title} – ${t.app.name}`;
  }, [t]);
  useEffect(() => {
    const canvas = main.current?.querySelector<HTMLElement>('[data-canvas]');
    // A text edit that was open already has the focus.
    if (work.state === 'ready' && document.activeElement === document.body) canvas?.focus();
  }, [work.state]);

  const leave = useCallback(
    (after: AfterCapture): void => {
      session?.commitText();
      setNotMade(false);
      const drawn = session?.store.getState().history.present;
      const original = work.state === 'ready' ? work.drawing.original : null;
      const picture = drawn && original && isEdited(drawn) ? () => exportPicture(original, drawn) : null;
      editing.finish(capture, { after, picture }).catch(() => setNotMade(true));
    },
    [capture, editing, session, work],
  );
  const discard = useCallback((): void => {
    const isWorkedOn = session !== null && isEdited(session.store.getState().history.present);
    if (isWorkedOn) setAsked(true);
    else void editing.discard();
  }, [editing, session]);
  const actions = useMemo(
    () => ({
      copy: () => leave(EXPORT_ACTIONS.copy),
      save: () => leave(EXPORT_ACTIONS.save),
      upload: () => leave(EXPORT_ACTIONS.upload),
      finish: () => leave(usual),
      discard,
      refusePaste: () => toasts.show({ kind: 'pasteStays' }),
    }),
    [leave, usual, discard, toasts],
  );

  return (
    <div className={styles.editor}>
      <TopBar capture={capture} session={session} onDiscard={discard} onLeave={() => editing.leave(capture.id)} />
      <main ref={main} className={styles.main}>
        <div className={styles.above}>
          <LinkBanner />
        </div>
        {work.state === 'ready' && (
          <>
            <Keys session={work.drawing.session} gestures={gestures} actions={actions} />
            <Canvas session={work.drawing.session} original={work.drawing.original} gestures={gestures} />
          </>
        )}
        {work.state === 'loading' && (
          <p className={styles.quiet} role="status">
            {t.editor.opening}
          </p>
        )}
        {work.state === 'missing' && (
          <div className={styles.advice}>
            <Advice tone="bad" title={t.editor.missing} sentences={[t.editor.missingAdvice]}>
              <Button onPress={retry}>{t.editor.tryAgain}</Button>
            </Advice>
          </div>
        )}
        {work.state === 'tooLarge' && (
          <div className={styles.advice}>
            <Advice tone="plain" title={t.editor.tooLarge} sentences={[t.editor.tooLargeAdvice]} />
          </div>
        )}
        {isNotMade && (
          <div className={styles.notMade} role="alert">
            <Advice tone="bad" title={t.editor.notMade} sentences={[t.editor.notMadeAdvice]} />
          </div>
        )}
      </main>
      <ExportBar share={share} onShare={editing.setShare} leaving={leaving} onLeave={leave}>
        <BackgroundBanner capture={capture} />
      </ExportBar>
      <DiscardDialog
        isAsked={isAsked}
        onAnswer={(answer) => {
          setAsked(false);
          if (answer === 'discard') void editing.discard();
        }}
      />
    </div>
  );
}

interface KeysProps {
  readonly session: EditorSession;
  readonly gestures: React.RefObject<Gestures | null>;
  readonly actions: Parameters<typeof useEditorKeys>[0]['actions'];
}

/** Shortcuts are active only while there is an image to edit. */
const Keys = (props: KeysProps) => {
  useEditorKeys(props);
  return null;
};
