/** Frame around the possible secret that the user is deciding about. It follows pan and zoom of the image. */
import { useEffect, useRef } from 'react';
import type { FoundSecret } from '../../../ipc/protocol/vision.ts';
import { type EditorSession, placementOf } from '../../drawing/editor-session.ts';
import { toViewport } from '../../drawing/viewport.ts';
import styles from './redaction-suggestions.module.css';

interface Props {
  readonly session: EditorSession;
  readonly place: FoundSecret;
}

export const RedactionSuggestionFrame = ({ session, place }: Props) => {
  const frame = useRef<HTMLSpanElement>(null);
  // The content security policy forbids inline styles in markup, so the position is set by script.
  useEffect(() => {
    const follow = (): void => {
      if (!frame.current) return;
      const placement = placementOf(session.store.getState());
      const { x, y } = toViewport(place, placement);
      const { style } = frame.current;
      style.setProperty('left', `${x}px`);
      style.setProperty('top', `${y}px`);
      style.setProperty('width', `${place.width * placement.scale}px`);
      style.setProperty('height', `${place.height * placement.scale}px`);
    };
    follow();
    return session.store.subscribe(follow);
  }, [session, place]);
  return <span ref={frame} className={styles.frame} aria-hidden />;
};
