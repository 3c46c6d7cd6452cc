/** Dialog for the background of the exported image: a preview, the choices, and the user's presets. */
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { BACKDROP, BACKDROP_PRESETS_MAX, type Backdrop } from '../../../ipc/protocol/drawing.ts';
import button from '../../components/buttons/button.module.css';
import { Button, IconButton } from '../../components/buttons/button.tsx';
import choices from '../../components/fields/choices.module.css';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { Dialog } from '../../components/overlays/dialog.tsx';
import { cx } from '../../design/class-names.ts';
import { isSameBackdrop, layBackdrop } from '../../drawing/backdrop-layout.ts';
import { useLocale } from '../../locales/locale.tsx';
import type { OpenDrawing } from '../../stores/captures/edited-capture-store.ts';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { renderFrame } from '../picture/export-image.ts';
import { FILLS, paintOnBackdrop } from '../picture/paint-backdrop.ts';
import styles from './backdrop-dialog.module.css';

/** Used before the user has chosen one. */
const FIRST_BACKDROP: Backdrop = {
  fill: 'ocean',
  padding: 'medium',
  corners: 'round',
  shadow: 'soft',
  titleBar: 'none',
};

const fillStyle = (fill: Backdrop['fill']): { readonly backgroundImage?: string } => {
  const [first, last = first] = FILLS[fill];
  return first === undefined ? {} : { backgroundImage: `linear-gradient(135deg, ${first}, ${last})` };
};

interface BackdropDialogProps {
  readonly drawing: OpenDrawing;
  readonly onClose: () => void;
}

/** Rendered while it is open. */
export const BackdropDialog = ({ drawing: { session, original }, onClose }: BackdropDialogProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.editor.backdrop;
  const document = session.store.getState().history.present;
  const lastUsed = useApp(({ settings }) => settings.backdrop);
  const presets = useApp(({ settings }) => settings.backdropPresets);
  const [backdrop, setBackdrop] = useState<Backdrop>(document.backdrop ?? lastUsed ?? FIRST_BACKDROP);
  const frame = useMemo(() => renderFrame(original, document), [original, document]);
  const change = (changed: Partial<Backdrop>): void => setBackdrop({ ...backdrop, ...changed });
  const keepPresets = (next: readonly Backdrop[]): void => void engine.updateSettings({ backdropPresets: [...next] });
  const finish = (chosen: Backdrop | null): void => {
    session.surround(chosen);
    if (chosen) void engine.updateSettings({ backdrop: chosen });
    onClose();
  };
  const isKept = presets.some((preset) => isSameBackdrop(preset, backdrop));
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      size="wide"
      place="top"
      answers={
        <>
          <Button isDisabled={document.backdrop === undefined} onPress={() => finish(null)}>
            {words.remove}
          </Button>
          <Button tone="primary" autoFocus onPress={() => finish(backdrop)}>
            {words.use}
          </Button>
        </>
      }
    >
      <div className={styles.choices}>
        <Preview frame={frame} backdrop={backdrop} />
        <fieldset className={styles.fills} aria-label={words.fill}>
          {BACKDROP.fills.map((fill) => (
            <AriaButton
              key={fill}
              className={cx(
                styles.fill,
                fill === backdrop.fill && styles.chosen,
                fill === 'transparent' && styles.clear,
              )}
              style={fillStyle(fill)}
              aria-label={words.fills[fill]}
              aria-pressed={fill === backdrop.fill}
              onPress={() => change({ fill })}
            />
          ))}
        </fieldset>
        <div className={choices.choices}>
          <RadioChoice
            look="segments"
            label={words.padding}
            value={backdrop.padding}
            options={BACKDROP.paddings.map((value) => ({ value, title: words.paddings[value] }))}
            onChange={(padding) => change({ padding })}
          />
          <RadioChoice
            look="segments"
            label={words.corners}
            value={backdrop.corners}
            options={BACKDROP.corners.map((value) => ({ value, title: words.cornersOf[value] }))}
            onChange={(corners) => change({ corners })}
          />
          <RadioChoice
            look="segments"
            label={words.shadow}
            value={backdrop.shadow}
            options={BACKDROP.shadows.map((value) => ({ value, title: words.shadows[value] }))}
            onChange={(shadow) => change({ shadow })}
          />
          <RadioChoice
            look="segments"
            label={words.titleBar}
            value={backdrop.titleBar}
            options={BACKDROP.titleBars.map((value) => ({ value, title: words.titleBars[value] }))}
            onChange={(titleBar) => change({ titleBar })}
          />
        </div>
        <section className={styles.presets} aria-label={words.presets}>
          {presets.map((preset, index) => (
            <span key={JSON.stringify(preset)} className={styles.preset}>
              <AriaButton
                className={cx(button.button, button.outline)}
                aria-pressed={isSameBackdrop(preset, backdrop)}
                onPress={() => setBackdrop(preset)}
              >
                <span className={styles.dot} style={fillStyle(preset.fill)} aria-hidden />
                {words.preset(index + 1)}
              </AriaButton>
              <IconButton
                icon={Trash2}
                label={words.removePreset(index + 1)}
                onPress={() => keepPresets(presets.filter((other) => other !== preset))}
              />
            </span>
          ))}
          <Button
            tone="quiet"
            icon={Plus}
            isDisabled={isKept || presets.length >= BACKDROP_PRESETS_MAX}
            onPress={() => keepPresets([...presets, backdrop])}
          >
            {words.keepPreset}
          </Button>
        </section>
      </div>
    </Dialog>
  );
};

interface PreviewProps {
  readonly frame: OffscreenCanvas;
  readonly backdrop: Backdrop;
}

const Preview = ({ frame, backdrop }: PreviewProps) => {
  const { t } = useLocale();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { size } = layBackdrop(backdrop, frame);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, size.width, size.height);
    paintOnBackdrop(context, frame, backdrop);
  }, [frame, backdrop, size.width, size.height]);
  return (
    <div className={styles.stage}>
      <canvas
        ref={canvas}
        className={styles.preview}
        width={size.width}
        height={size.height}
        role="img"
        aria-label={t.editor.backdrop.preview(size.width, size.height)}
      />
      <p className={styles.size}>{t.editor.size(size.width, size.height)}</p>
    </div>
  );
};
