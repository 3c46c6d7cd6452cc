/**
 * The capture in the editor as the window keeps it: what is drawn stays as long as the capture waits, wherever the person
 * goes meanwhile. Nothing leaves but through `finish`.
 */

import { createStore } from 'zustand/vanilla';
import type { PageTransport } from '../../bridge/transport.ts';
import type { AfterCapture, CaptureSessionIn } from '../../contract/app/capture.ts';
import type { CaptureId } from '../../contract/ids.ts';
import type { ShareFields } from '../../contract/service/content.ts';
import type { EditorSession, EditorState } from '../editor/session.ts';
import type { EngineStore } from './engine.ts';
import type { Toasts } from './toasts.ts';
import type { View } from './view.ts';

export type WaitingCapture = CaptureSessionIn<'editing'>;

/** What the editor works on. */
export interface Held {
  readonly id: CaptureId;
  readonly session: EditorSession;
  /** As it was taken. */
  readonly original: ImageBitmap;
}

interface EditingState {
  /** The capture that the person left for a while. */
  readonly aside: CaptureId | null;
  /** Whether the picture is on its way out. */
  readonly leaving: 'no' | 'making' | 'sending';
}

/** How the picture leaves; `share`: only what differs from the settings. */
export interface Leaving {
  readonly after: AfterCapture;
  readonly share: ShareFields;
  /** Makes the edited picture; null: as it was taken. */
  readonly picture: (() => Promise<Blob>) | null;
}

interface Deps {
  readonly transport: PageTransport;
  readonly engine: EngineStore;
  readonly toasts: Toasts;
  readonly view: View;
}

export const createEditing = ({ transport, engine, toasts, view }: Deps) => {
  const store = createStore<EditingState>(() => ({ aside: null, leaving: 'no' }));
  let held: Held | null = null;
  let last: EditorSession | null = null;

  const waiting = (): WaitingCapture | null => {
    const capture = engine.store.getState().app?.capture ?? null;
    return capture?.state === 'editing' ? capture : null;
  };

  engine.store.subscribe(() => {
    if (held === null || held.id === waiting()?.id) return;
    held.original.close();
    last = held.session;
    held = null;
  });

  // Going to another screen, by address, key or a dropped file, leaves the editor for a while.
  view.store.subscribe(({ shown }, before) => {
    const capture = waiting();
    if (capture && shown !== before.shown) store.setState({ aside: capture.id });
  });

  const send = async (id: CaptureId, name: string, { after, share, picture }: Leaving): Promise<boolean> => {
    store.setState({ leaving: 'making' });
    const png = picture && (await picture());
    store.setState({ leaving: 'sending' });
    const file = png && new File([png], name, { type: 'image/png' });
    const offered = file && (await transport.offer(file, () => {}, new AbortController().signal));
    if (offered && !offered.ok) {
      toasts.show({ kind: 'failure', failure: offered.error });
      return false;
    }
    const request = { id, picture: offered?.value ?? null, after, share };
    return (await engine.run('capture.finish', request)) !== null;
  };

  return {
    store,
    held: (id: CaptureId): Held | null => (held?.id === id ? held : null),
    hold: (next: Held): void => {
      held = next;
    },
    /** How the tools were set for the capture before, since the window was opened. */
    tools: (): Partial<Pick<EditorState, 'tool' | 'style'>> => last?.store.getState() ?? {},
    leave: (id: CaptureId): void => store.setState({ aside: id }),
    resume: (): void => store.setState({ aside: null }),
    /** Answers whether the capture is done. Rejects where the picture could not be made; then nothing has left. */
    finish: async ({ id, name }: WaitingCapture, leaving: Leaving): Promise<boolean> => {
      if (store.getState().leaving !== 'no') return false;
      try {
        return await send(id, name, leaving);
      } finally {
        store.setState({ leaving: 'no' });
      }
    },
    giveUp: (): Promise<unknown> => engine.run('capture.cancel', {}),
  };
};

export type Editing = ReturnType<typeof createEditing>;
