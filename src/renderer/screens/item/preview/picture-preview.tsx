/**
 * Zoomable image preview: fitted, or from a tenth to eight times the actual size. Keys: `+`, `-`, `0` (fitted) and `1`
 * (actual size). After text recognition, which the user starts, the text in the image can be selected.
 */

import { Maximize2, TextSelect, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { useStore } from 'zustand';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { Alert } from '../../../components/alert.tsx';
import buttons from '../../../components/buttons/button.module.css';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { cx } from '../../../design/class-names.ts';
import { useDragOut } from '../../../file-input/use-drag-out.ts';
import { isCommandKey, isLetter, isPlainKey } from '../../../keyboard/key-events.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { SelectableText, selectAllText } from '../../../picture-text/selectable-text.tsx';
import { titleOf } from '../../../stores/published/item-title.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './picture-preview.module.css';
import { PictureTextBar } from './picture-text-bar.tsx';
import frame from './preview.module.css';
import { closer, further, type Zoom, zoomOfKey } from './zoom.ts';

export const PicturePreview = ({ item }: { readonly item: LibraryItem }) => {
  const { addresses, itemText } = useAppStores();
  const { t, format } = useLocale();
  const words = t.item.preview;
  const { id, content } = item;
  const title = titleOf(item);
  const picture = useRef<HTMLImageElement>(null);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  const drag = useDragOut(id, content.url);
  const layer = useRef<HTMLElement>(null);
  const [size, setSize] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const text = useStore(itemText.store);
  const isTextOn = text.state !== 'off' && text.id === id;
  const read = text.state === 'read' && text.id === id ? text.content : null;
  useEffect(() => itemText.hide, [itemText]);

  /** Current zoom relative to the image's own pixels. */
  const shownAt = (): number =>
    picture.current && picture.current.naturalWidth > 0 ? picture.current.width / picture.current.naturalWidth : 1;
  const step = (next: (from: number) => number): void => setZoom(next(zoom === 'fit' ? shownAt() : zoom));

  useEffect(() => {
    const { current } = picture;
    if (!current) return;
    if (zoom === 'fit') current.style.removeProperty('width');
    else current.style.setProperty('width', `${(content.width ?? current.naturalWidth) * zoom}px`);
  }, [zoom, content.width]);

  const selectAll = (): void => {
    layer.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    if (layer.current) selectAllText(layer.current);
  };

  const press = (event: KeyboardEvent): void => {
    if (isCommandKey(event) && isLetter(event.nativeEvent, 'a') && layer.current) {
      event.preventDefault();
      selectAll();
    }
    const asked = isPlainKey(event) ? zoomOfKey(event.key) : null;
    if (asked === null || state !== 'there') return;
    event.preventDefault();
    if (asked === 'closer') step(closer);
    else if (asked === 'further') step(further);
    else setZoom(asked);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for the buttons inside
    <div onKeyDown={press}>
      <div className={frame.bar} role="toolbar" aria-label={words.zoom}>
        <span className={frame.title}>{zoom === 'fit' ? words.fit : format.factor(zoom)}</span>
        <ToggleButton
          className={cx(buttons.button, buttons.outline, styles.text)}
          isSelected={isTextOn}
          isDisabled={state !== 'there'}
          onChange={(isOn) => (isOn ? void itemText.show(id) : itemText.hide())}
        >
          <TextSelect size={16} aria-hidden />
          {t.pictureText.text}
        </ToggleButton>
        <IconButton icon={ZoomOut} label={words.further} isDisabled={state !== 'there'} onPress={() => step(further)} />
        <IconButton icon={ZoomIn} label={words.closer} isDisabled={state !== 'there'} onPress={() => step(closer)} />
        <Button icon={Maximize2} onPress={() => setZoom(zoom === 'fit' ? 1 : 'fit')} isDisabled={state !== 'there'}>
          {zoom === 'fit' ? words.actual : words.fit}
        </Button>
      </div>
      {isTextOn && <PictureTextBar text={text} onSelectAll={selectAll} />}
      {state === 'failed' ? (
        <div className={frame.advice} role="alert">
          <Alert tone="warn" title={words.failed} sentences={[words.failedText]}>
            <Button
              onPress={() => {
                setTries(tries + 1);
                setState('loading');
              }}
            >
              {words.retry}
            </Button>
          </Alert>
        </div>
      ) : (
        <section
          className={cx(styles.stage, zoom === 'fit' && styles.fit)}
          aria-label={words.picture(title)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a zoomed image
          tabIndex={0}
        >
          <div className={styles.sheet}>
            <img
              key={tries}
              ref={picture}
              className={cx(styles.picture, state === 'loading' && styles.coming)}
              src={addresses.mediaUrl(id)}
              alt={title}
              {...(content.width != null && content.height != null && { width: content.width, height: content.height })}
              decoding="async"
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
                setState('there');
                setSize({ width: naturalWidth, height: naturalHeight });
              }}
              onError={() => setState('failed')}
              onDoubleClick={() => setZoom(zoom === 'fit' ? 1 : 'fit')}
              {...drag}
            />
            {read && size && state === 'there' && (
              <SelectableText ref={layer} content={read} {...size} label={t.pictureText.textOf(title)} />
            )}
          </div>
        </section>
      )}
    </div>
  );
};
