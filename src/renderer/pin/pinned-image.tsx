/** The page of one pinned image: the image, its actions on hover or focus, and a short note after a change. */

import { Copy, MousePointerClick, Upload, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import type { PinId, PinnedImage as Pinned } from '../../ipc/protocol/pinned-image.ts';
import { IconButton } from '../components/buttons/button.tsx';
import { onlyFirstClick } from '../components/buttons/only-first-click.ts';
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import { createDrag, inputOfKey, inputOfWheel, type PinAction, type PinInput } from './pin-input.ts';
import styles from './pinned-image.module.css';

/** How long a change is shown. */
const SHOWN_MS = 1_200;

const usePin = (id: PinId): Pinned | null => {
  const { engine } = useAppStores();
  const [pin, setPin] = useState<Pinned | null>(null);
  useEffect(() => {
    const stop = engine.on((event) => {
      if (event.type === 'pin' && event.pin.id === id) setPin(event.pin);
    });
    void engine.ask('pin.read', { id }).then((read) => read.ok && setPin((newer) => newer ?? read.value));
    return stop;
  }, [engine, id]);
  return pin;
};

/** A text that disappears after a moment. */
const usePassing = (): readonly [string, (text: string) => void] => {
  const [text, setText] = useState('');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (next: string): void => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setText(''), SHOWN_MS);
    setText(next);
  };
  return [text, show];
};

export const PinnedImage = ({ id }: { readonly id: PinId }) => {
  const pin = usePin(id);
  return pin && <Shown pin={pin} />;
};

const Shown = ({ pin }: { readonly pin: Pinned }) => {
  const { engine, addresses } = useAppStores();
  const locale = useLocale();
  const { t, format } = locale;
  const { id } = pin;
  const [text, show] = usePassing();
  const [isMissing, setMissing] = useState(false);
  const root = useRef<HTMLElement>(null);
  const how = useId();

  const act = async (action: PinAction): Promise<void> => {
    const done = await engine.ask('pin.act', { id, action });
    if (!done.ok) show(locale.failure(done.error).title);
    else if (action === 'copy') show(t.pin.copied);
    else if (action === 'share') show(t.pin.shared);
  };
  const follow = (input: PinInput): void => {
    if ('action' in input) return void act(input.action);
    const { change } = input;
    if (change.kind === 'zoom') show(format.factor(change.zoom));
    if (change.kind === 'opacity') show(t.pin.opacity(format.percent(change.opacity)));
    void engine.ask('pin.change', { id, change });
  };
  const [drag] = useState(() =>
    createDrag((x, y) => void engine.ask('pin.change', { id, change: { kind: 'move', x, y } }), requestAnimationFrame),
  );

  useEffect(() => root.current?.focus(), []);
  const press = (event: KeyboardEvent): void => {
    const input = inputOfKey(event.nativeEvent, pin, { x: innerWidth / 2, y: innerHeight / 2 });
    if (!input) return;
    event.preventDefault();
    follow(input);
  };
  const grab = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest('button') !== null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.begin({ x: event.screenX, y: event.screenY });
  };

  return (
    <main
      ref={root}
      className={styles.pin}
      tabIndex={-1}
      aria-label={t.pin.label(pin.name)}
      aria-describedby={how}
      onKeyDown={press}
      onWheel={(event) => {
        const input = inputOfWheel(event.nativeEvent, pin);
        if (input) follow(input);
      }}
      onPointerDown={grab}
      onPointerMove={(event) => drag.follow({ x: event.screenX, y: event.screenY })}
      onPointerUp={drag.end}
      onPointerCancel={drag.end}
      onDoubleClick={(event) => {
        if ((event.target as Element).closest('button') === null) void act('close');
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        void act('menu');
      }}
    >
      {isMissing ? (
        <p className={styles.missing}>{t.pin.gone}</p>
      ) : (
        <img
          className={styles.image}
          data-is-enlarged={pin.zoom > 1}
          src={addresses.pinUrl(id)}
          alt=""
          draggable={false}
          style={{ opacity: pin.opacity }}
          onError={() => setMissing(true)}
        />
      )}
      <VisuallyHidden>
        <span id={how}>{t.pin.how}</span>
      </VisuallyHidden>
      <div className={styles.bar} role="toolbar" aria-label={t.pin.actions} onClickCapture={onlyFirstClick}>
        <IconButton icon={Copy} label={t.pin.copy} onPress={() => void act('copy')} />
        <IconButton icon={Upload} label={t.pin.share} onPress={() => void act('share')} />
        <IconButton icon={MousePointerClick} label={t.pin.letThrough} onPress={() => void act('letThrough')} />
        <IconButton icon={X} label={t.pin.close} onPress={() => void act('close')} />
      </div>
      <p className={styles.change} role="status">
        {text}
      </p>
    </main>
  );
};
