/** Rendered text of a published note, with a button that opens the editor. */

import { Pencil } from 'lucide-react';
import { useMemo } from 'react';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { Source } from '../../../rendering/render-text.ts';
import { titleOf } from '../../../stores/published/item-title.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import { useHostAnswer } from '../../../stores/use-host-answer.ts';
import { LoadFailure } from './load-failure.tsx';
import frame from './preview.module.css';
import { RenderedText } from './rendered-text.tsx';

export const NotePreview = ({ item }: { readonly item: LibraryItem }) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const words = t.item.preview;
  const { id, content } = item;
  // Loads again whenever the service has a new revision.
  const { answer, askAgain } = useHostAnswer('note.read', { id }, content.revision);

  const source = useMemo(
    (): Source | null => (answer?.ok ? { kind: 'note', note: answer.value.note, title: content.title } : null),
    [answer, content.title],
  );
  return (
    <>
      <div className={frame.bar}>
        <span className={frame.title}>{titleOf(item)}</span>
        <Button icon={Pencil} onPress={() => view.open({ screen: 'note', id })}>
          {words.edit}
        </Button>
      </div>
      {answer === null && <p className={frame.loading}>{words.loading}</p>}
      {source && <RenderedText label={words.note} source={source} />}
      {answer?.ok === false && <LoadFailure failure={answer.error} onRetry={askAgain} />}
    </>
  );
};
