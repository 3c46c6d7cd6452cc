/**
 * Loads the command palette (Ctrl+K, Cmd+K on a Mac) and the list of shortcuts (`?`) on demand. The other shortcuts of
 * the window are off while one of them is open.
 */

import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { isCommandKey, isInDialog, isLetter, isPlainKey, isTyping } from '../keyboard/key-events.ts';
import type { DialogProps } from '../palette/palette-dialog-frame.tsx';
import { useIsCovered } from './in-page-capture-overlay.tsx';
import { useIsEditing } from './lazy-editor.tsx';

type Name = 'palette' | 'shortcuts';

const LOADERS: Readonly<Record<Name, () => Promise<ComponentType<DialogProps>>>> = {
  palette: async () => (await import('../palette/palette.tsx')).Palette,
  shortcuts: async () => (await import('../palette/shortcuts-list.tsx')).ShortcutsList,
};

const asksFor = (event: KeyboardEvent): Name | null => {
  if (event.altKey || event.isComposing) return null;
  if (isCommandKey(event)) return !event.shiftKey && isLetter(event, 'k') ? 'palette' : null;
  return isPlainKey(event) && event.key === '?' && !isTyping(event.target) ? 'shortcuts' : null;
};

/** Another dialog or menu handles its own keys. */
const isElsewhere = (target: EventTarget | null): boolean =>
  isInDialog(target) || (target instanceof Element && target.closest('[role=menu]') !== null);

export const LazyPalette = () => {
  const isCovered = useIsCovered();
  const isEditing = useIsEditing();
  const [shown, setShown] = useState<{ readonly name: Name; readonly Dialog: ComponentType<DialogProps> } | null>(null);

  const show = (name: Name): void => {
    // Loading fails only when the host is unreachable, which the window shows.
    LOADERS[name]().then(
      (Dialog) => setShown({ name, Dialog }),
      () => {},
    );
  };
  const close = (): void => setShown(null);

  const press = useEffectEvent((event: KeyboardEvent): void => {
    const asked = event.defaultPrevented ? null : asksFor(event);
    if (shown !== null) event.stopPropagation();
    else if (isElsewhere(event.target)) return;
    if (asked === null || isCovered || (asked === 'palette' && isEditing)) return;
    event.preventDefault();
    if (shown?.name === asked) close();
    else show(asked);
  });
  useEffect(() => {
    // On the document, before the other shortcuts, which listen on the window: so it can stop them.
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  useEffect(() => {
    if (isCovered) setShown(null);
  }, [isCovered]);

  if (shown === null || isCovered) return null;
  const { Dialog } = shown;
  return <Dialog close={close} showShortcuts={() => show('shortcuts')} />;
};
