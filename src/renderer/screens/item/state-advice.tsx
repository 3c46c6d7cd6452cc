/**
 * Explains states of an item that its link cannot show (deleted, expired, used up, under review), with the available
 * actions.
 */

import { RotateCcw, Trash2, Undo2, Users } from 'lucide-react';
import { unreachable } from '../../../api/errors.ts';
import type { LibraryItem } from '../../../ipc/protocol/state.ts';
import { Button } from '../../components/buttons/button.tsx';
import { Advice } from '../../components/overlays/advice.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import type { Access } from './link-access.ts';

interface StateAdviceProps {
  readonly item: LibraryItem;
  readonly access: Access;
}

export const StateAdvice = ({ item: { id }, access }: StateAdviceProps) => {
  const { changes, removal, view } = useAppStores();
  const { t } = useLocale();
  const words = t.item.state;

  const forget = (
    <Button
      icon={Trash2}
      onPress={() => {
        void removal.forget([id]);
        view.show('library');
      }}
    >
      {words.forget}
    </Button>
  );
  /** Disables and re-enables the one-time setting, which makes the service treat the link as unopened. */
  const letOneMoreIn = (): void => {
    void changes.make([id], { oneTime: false });
    void changes.make([id], { oneTime: true });
  };

  switch (access.state) {
    case 'gone':
      return (
        <Advice tone="warn" title={words.gone} sentences={[words.goneText]}>
          {forget}
        </Advice>
      );
    case 'expired':
      return (
        <Advice tone="warn" title={words.expired} sentences={[words.expiredText]}>
          {forget}
        </Advice>
      );
    case 'deleting':
      return (
        <Advice tone="plain" title={words.deleting} sentences={[words.deletingText]}>
          <Button tone="primary" icon={Undo2} onPress={() => void removal.undo([id])}>
            {t.library.undo}
          </Button>
        </Advice>
      );
    case 'held':
      return (
        <Advice
          tone="warn"
          title={words.held}
          sentences={[access.hold === 'blocked' ? words.blockedText : words.heldText]}
        />
      );
    case 'consumed':
      return (
        <Advice tone="plain" title={words.consumed} sentences={[words.consumedText]}>
          <Button icon={RotateCcw} onPress={letOneMoreIn}>
            {words.again}
          </Button>
          <Button icon={Users} onPress={() => void changes.make([id], { oneTime: false })}>
            {words.everyone}
          </Button>
        </Advice>
      );
    case 'exhausted':
      return (
        <Advice tone="plain" title={words.exhausted} sentences={[words.exhaustedText]}>
          <Button onPress={() => void changes.make([id], { viewLimit: null })}>{words.noLimit}</Button>
        </Advice>
      );
    case 'private':
    case 'open':
      return null;
    default:
      return unreachable(access);
  }
};
