/** Rendered text of a published note, with a button that opens the editor. */

import { Pencil } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Result } from '../../../../api/errors.ts';
import type { NoteText } from '../../../../api/note.ts';
import type { LibraryItem } from '../../../../ipc/protocol/library-item.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { Source } from '../../../rendering/render-text.ts';
import { titleOf } from '../../../stores/published/library-store.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';
import { LoadFailure } from './load-failure.tsx';
import frame from './preview.module.css';
import { RenderedText } from './rendered-text.tsx';

export const NotePreview = ({ item }: { readonly item: LibraryItem }) => {
  const { engine, view } = useAppStores();
  const { t } = useLocale();
  const words = t.item.preview;
  const { id, content } = item;
  const { revision } = content;
  const [note, setNote] = useState<Result<NoteText> | null>(null);
  const [tries, setTries] = useState(0);

  // Loads again whenever the service has a new revision.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision and a retry load again
  useEffect(() => {
    let isCurrent = true;
    void engine.ask('note.read', { id }).then((read) => {
      if (isCurrent) setNote(read.ok ? { ok: true, value: read.value.note } : read);
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, id, revision, tries]);

  const source = useMemo(
    (): Source | null => (note?.ok ? { kind: 'note', note: note.value, title: content.title } : null),
    [note, content.title],
  );
  return (
    <>
      <div className={frame.bar}>
        <span className={frame.title}>{titleOf(item)}</span>
        <Button icon={Pencil} onPress={() => view.open({ screen: 'note', id })}>
          {words.edit}
        </Button>
      </div>
      {note === null && <p className={frame.loading}>{words.loading}</p>}
      {source && <RenderedText label={words.note} source={source} />}
      {note?.ok === false && <LoadFailure failure={note.error} onRetry={() => setTries(tries + 1)} />}
    </>
  );
};
