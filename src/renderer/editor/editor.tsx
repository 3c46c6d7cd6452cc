/**
 * The editor of a capture. It uploads nothing until the user exports the image; until then the drawing is saved as a
 * draft.
 */
import { CircleAlert, Upload } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useStore } from 'zustand';
import { type AfterCapture, SINGLE_ACTION } from '../../ipc/protocol/capture.ts';
import { isEdited } from '../../ipc/protocol/drawing.ts';
import { Alert } from '../components/alert.tsx';
import button from '../components/buttons/button.module.css';
import { Button } from '../components/buttons/button.tsx';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { ConfirmDialog } from '../components/overlays/confirm-dialog.tsx';
import { cx } from '../design/class-names.ts';
import type { EditorSession } from '../drawing/editor-session.ts';
import { useLocale } from '../locales/locale.tsx';
import { expectCurrent } from '../stores/captures/copy-edited.ts';
import type { ExportRequest, WaitingCapture } from '../stores/captures/edited-capture-store.ts';
import { needsUser } from '../stores/queue/item-view.ts';
import { splitQueue } from '../stores/queue/queue-order.ts';
import { useApp, useAppStores, usePendingFiles } from '../stores/use-app-stores.tsx';
import backgroundBannerStyles from './background-banner.module.css';
import { BackdropDialog } from './bars/backdrop-dialog.tsx';
import { ExportBar } from './bars/export-bar.tsx';
import { TopBar } from './bars/top-bar.tsx';
import { Canvas } from './canvas/canvas.tsx';
import type { Gestures } from './canvas/gestures.ts';
import styles from './editor.module.css';
import { defaultAfterCapture } from './export-actions.ts';
import { exportPicture } from './picture/export-image.ts';
import { RedactionSuggestionFrame } from './redaction-suggestions/redaction-suggestion-frame.tsx';
import { RedactionSuggestionsBar } from './redaction-suggestions/redaction-suggestions-bar.tsx';
import { uploadVerdict } from './redaction-suggestions/upload-verdict.ts';
import { useRedactionSuggestions } from './redaction-suggestions/use-redaction-suggestions.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { type EditorSessionState, useEditorSession } from './use-editor-session.ts';

/** Banner about uploads that continue while the editor covers the window, with a way to them. */
const BackgroundBanner = ({ capture }: { readonly capture: WaitingCapture }) => {
  const { editing, view } = useAppStores();
  const { t } = useLocale();
  const pendingFiles = usePendingFiles();
  const items = useApp(({ queue }) => queue.items);
  const active = splitQueue(items).active.filter(({ id }) => id !== capture.item);
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
            className={cx(backgroundBannerStyles.behind, isAsked && backgroundBannerStyles.asks)}
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

interface EditorProps {
  readonly capture: WaitingCapture;
  /** Banners above the image. */
  readonly children: ReactNode;
}

export default function Editor({ capture, children }: EditorProps) {
  const { editing, pictureText, toasts } = useAppStores();
  const { t } = useLocale();
  const { work, retry } = useEditorSession(capture);
  const session = work.state === 'ready' ? work.drawing.session : null;
  const [proposals, proposalActions] = useRedactionSuggestions(capture.id, session);
  const proposed = proposals.state === 'found' ? proposals.found[proposals.at] : undefined;
  const gestures = useRef<Gestures | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [isBackdropOpen, setBackdropOpen] = useState(false);
  const [isNotMade, setNotMade] = useState(false);
  /** How the capture was to be exported, if that would leave out its drawing. */
  const [drawn, setDrawn] = useState<ExportRequest | null>(null);
  const leaving = useStore(editing.store, (state) => state.leaving);
  const share = useStore(editing.store, (state) => state.share);
  const canPin = useApp(({ capabilities }) => capabilities.pins);
  const usual = useApp(defaultAfterCapture);
  const rule = useApp(({ settings }) => settings.checkBeforeUpload);
  const isWaiting = capture.item !== undefined;
  const [isHeld, setHeld] = useState(false);
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    document.title = `${t.editor.title} – ${t.app.name}`;
  }, [t]);
  useEffect(() => {
    const canvas = main.current?.querySelector<HTMLElement>('[data-canvas]');
    // A text edit that was open already has the focus.
    if (work.state === 'ready' && document.activeElement === document.body) canvas?.focus();
  }, [work.state]);

  const isChecked = rule !== 'off' || isWaiting;
  const isOpen = work.state === 'ready' || work.state === 'tooLarge';
  const find = useRef(proposalActions.find);
  find.current = proposalActions.find;
  useEffect(() => {
    if (isChecked && isOpen) find.current(isWaiting ? 'user' : 'app');
  }, [isChecked, isOpen, isWaiting]);

  const finish = useCallback(
    (request: ExportRequest): void => {
      setNotMade(false);
      editing.finish(capture, request).then(
        (outcome) => setDrawn(outcome === 'drawn' ? request : null),
        () => setNotMade(true),
      );
    },
    [capture, editing],
  );
  const leave = useCallback(
    (after: AfterCapture): void => {
      const verdict = after.publish ? uploadVerdict(proposals, { rule, isWaiting, isWarned: isHeld }) : 'unchecked';
      if (verdict === 'held') {
        setHeld(true);
        if (['none', 'closed'].includes(proposals.state)) find.current();
        return;
      }
      finish({ after, picture: pictureOf(work), isReviewed: verdict === 'reviewed' });
    },
    [finish, work, proposals, rule, isWaiting, isHeld],
  );
  /** Of the picture as it is edited: a crop or a redaction applies to its text too. */
  const copyText = useCallback((): void => {
    session?.commitText();
    const drawn = session?.store.getState().history.present;
    const open = work.state === 'ready' ? work.drawing : null;
    const edited = drawn && open && isEdited(drawn) ? { ...open, drawn } : null;
    const file = async (of: NonNullable<typeof edited>): Promise<File> => {
      const png = await exportPicture(of.original, of.drawn);
      await expectCurrent(of.draft);
      return new File([png], capture.name, { type: 'image/png' });
    };
    // The host refuses to read what another window has drawn on.
    if (!edited) void open?.draft.flush().then(open.draft.catchUp);
    void pictureText
      .copyFrom(edited ? { from: 'file', file: () => file(edited) } : { from: 'capture', id: capture.id })
      .catch(() => setNotMade(editing.drawingOf(capture.id) === open));
  }, [capture, editing, pictureText, session, work]);
  const discard = useCallback((): void => {
    const isWorkedOn = !isWaiting && session !== null && isEdited(session.store.getState().history.present);
    if (isWorkedOn) setAsked(true);
    else void editing.discard();
  }, [editing, session, isWaiting]);
  const actions = useMemo(
    () => ({
      copy: () => leave(SINGLE_ACTION.copy),
      save: () => leave(SINGLE_ACTION.save),
      upload: () => leave(SINGLE_ACTION.publish),
      pin: canPin ? () => leave(SINGLE_ACTION.pin) : null,
      finish: () => leave(usual),
      discard,
      openBackdrop: () => setBackdropOpen(true),
      refusePaste: () => toasts.show({ kind: 'pasteStays' }),
    }),
    [leave, usual, discard, toasts, canPin],
  );

  return (
    <div className={styles.editor}>
      <TopBar
        capture={capture}
        session={session}
        onDiscard={discard}
        onBackdrop={() => setBackdropOpen(true)}
        onCopyText={copyText}
        onFindSecrets={() => proposalActions.find()}
        onLeave={() => (isWaiting ? void editing.discard() : editing.leave(capture.id))}
      />
      <main ref={main} className={styles.main}>
        <div className={styles.above}>{children}</div>
        {work.state === 'ready' && (
          <>
            <Keys session={work.drawing.session} gestures={gestures} actions={actions} />
            <Canvas session={work.drawing.session} original={work.drawing.original} gestures={gestures}>
              {proposed && <RedactionSuggestionFrame session={work.drawing.session} place={proposed} />}
            </Canvas>
            {isBackdropOpen && <BackdropDialog drawing={work.drawing} onClose={() => setBackdropOpen(false)} />}
          </>
        )}
        {isOpen && (
          <RedactionSuggestionsBar
            {...{ proposals, isHeld, rule }}
            actions={proposalActions}
            canHide={session !== null}
          />
        )}
        {work.state === 'loading' && (
          <p className={styles.quiet} role="status">
            {t.editor.opening}
          </p>
        )}
        {work.state === 'missing' && (
          <div className={styles.advice}>
            <Alert tone="bad" title={t.editor.missing} sentences={[t.editor.missingAdvice]}>
              <Button onPress={retry}>{t.editor.tryAgain}</Button>
            </Alert>
          </div>
        )}
        {work.state === 'tooLarge' && (
          <div className={styles.advice}>
            <Alert tone="plain" title={t.editor.tooLarge} sentences={[t.editor.tooLargeAdvice]} />
          </div>
        )}
        {isNotMade && (
          <div className={styles.notMade} role="alert">
            <Alert tone="bad" title={t.editor.notMade} sentences={[t.editor.notMadeAdvice]} />
          </div>
        )}
      </main>
      <ExportBar
        {...{ share, leaving }}
        isOpening={work.state === 'loading'}
        onShare={editing.setShare}
        onLeave={leave}
        copies={work.state === 'ready' ? work.drawing.copies : null}
      >
        <BackgroundBanner capture={capture} />
      </ExportBar>
      <ConfirmDialog
        isAsked={isAsked}
        title={t.editor.discardAsk}
        advice={t.editor.discardAdvice}
        no={t.editor.discardNo}
        yes={t.editor.discardYes}
        onAnswer={(isConfirmed) => {
          setAsked(false);
          if (isConfirmed) void editing.discard();
        }}
      />
      <ConfirmDialog
        isAsked={drawn !== null}
        title={t.editor.drawnAsk}
        advice={t.editor.drawnAdvice}
        no={t.editor.drawnNo}
        yes={t.editor.drawnYes}
        onAnswer={(isConfirmed) => {
          setDrawn(null);
          if (drawn && isConfirmed) finish({ ...drawn, isUnedited: true });
        }}
      />
    </div>
  );
}

/** What is exported of the editor as it is now. */
const pictureOf = (work: EditorSessionState): ExportRequest['picture'] => {
  if (work.state !== 'ready') return null;
  const { session, original } = work.drawing;
  session.commitText();
  const { present } = session.store.getState().history;
  return isEdited(present) ? () => exportPicture(original, present) : null;
};

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
