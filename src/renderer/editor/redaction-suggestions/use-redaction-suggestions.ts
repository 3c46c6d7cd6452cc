/**
 * Hook that finds possible secrets in a capture, such as passwords, and steps through the places found. The caller
 * starts the search. The user hides each place or leaves it visible; `hideRest` hides all remaining places.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CaptureId } from '../../../api/ids.ts';
import type { FoundSecret, ReadingId } from '../../../ipc/protocol/vision.ts';
import type { EditorSession } from '../../drawing/editor-session.ts';
import { newRandomId } from '../../stores/new-random-id.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

export type RedactionSuggestions =
  /** `closed`: by the user. `looked`: the user has looked at a capture that could not be checked. */
  | { readonly state: 'none' | 'looking' | 'failed' | 'closed' | 'looked' }
  /** `at`: the one to decide about; at the end of `found`, all are decided. */
  | {
      readonly state: 'found';
      readonly found: readonly FoundSecret[];
      readonly at: number;
      readonly hidden: number;
      readonly by: 'user' | 'app';
    };

export interface RedactionSuggestionActions {
  /** Without the user, it does not take the keyboard. */
  find(by?: 'user' | 'app'): void;
  hide(): void;
  leave(): void;
  /** This one and all after it. */
  hideRest(): void;
  /** The user has looked at a capture that could not be checked. */
  confirm(): void;
  /** Also cancels the search. */
  close(): void;
}

export const useRedactionSuggestions = (
  id: CaptureId,
  session: EditorSession | null,
): readonly [RedactionSuggestions, RedactionSuggestionActions] => {
  const { engine } = useAppStores();
  const [proposals, setProposals] = useState<RedactionSuggestions>({ state: 'none' });
  const reading = useRef<ReadingId | null>(null);

  const stop = useCallback((): void => {
    if (reading.current !== null) void engine.ask('vision.stop', { reading: reading.current });
    reading.current = null;
  }, [engine]);
  useEffect(() => stop, [stop]);

  const find = (by: 'user' | 'app' = 'user'): void => {
    stop();
    const mine = newRandomId();
    reading.current = mine;
    setProposals({ state: 'looking' });
    void engine.ask('vision.findSecrets', { id, reading: mine }).then((result) => {
      if (reading.current !== mine) return;
      reading.current = null;
      setProposals(
        result.ok ? { state: 'found', found: result.value.found, at: 0, hidden: 0, by } : { state: 'failed' },
      );
    });
  };
  const decide = (which: 'one' | 'rest', isHidden: boolean): void => {
    if (proposals.state !== 'found' || (isHidden && !session)) return;
    const { found, at, hidden } = proposals;
    const decided = found.slice(at, which === 'one' ? at + 1 : undefined);
    if (isHidden) for (const box of decided) session?.hide(box);
    setProposals({ ...proposals, at: at + decided.length, hidden: hidden + (isHidden ? decided.length : 0) });
  };
  return [
    proposals,
    {
      find,
      hide: () => decide('one', true),
      leave: () => decide('one', false),
      hideRest: () => decide('rest', true),
      confirm: () => setProposals({ state: 'looked' }),
      close() {
        stop();
        setProposals({ state: 'closed' });
      },
    },
  ];
};
