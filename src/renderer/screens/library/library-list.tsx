/** The found items; the next page is fetched before the person reaches the end of this one. */

import { useEffect, useRef } from 'react';
import type { LibraryItem } from '../../../contract/state.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { OpenLink } from '../../parts/open-link.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { useLibrary, usePage } from '../../stores/use-page.tsx';
import styles from './library-list.module.css';

export const LibraryList = ({ items }: { readonly items: readonly LibraryItem[] }) => {
  const { t } = useLocale();
  return (
    <>
      <ul className={styles.list} aria-label={t.library.list}>
        {items.map((item) => (
          <LibraryRow key={item.id} item={item} />
        ))}
      </ul>
      <NextPage />
    </>
  );
};

/** The file's name, unless the item was given a title of its own. */
const titleOf = ({ name, content: { title } }: LibraryItem): string =>
  title === '' || name.startsWith(`${title}.`) ? name : title;

const LibraryRow = ({ item }: { readonly item: LibraryItem }) => {
  const { addresses } = usePage();
  const { t, format } = useLocale();
  const { id, content } = item;
  const title = titleOf(item);
  const facts = [
    t.library.kind[content.type],
    t.library.visibility[content.visibility],
    format.bytes(content.size),
    format.dateTime(new Date(content.createdAt)),
  ];
  return (
    <li className={styles.row}>
      <Thumbnail src={addresses.thumbnailUrl(id)} kind={content.type} />
      <div className={styles.words}>
        <p className={styles.title} title={title}>
          {title}
        </p>
        <Facts facts={facts} />
      </div>
      <div className={styles.actions}>
        <CopyButton id={id} name={title} url={content.url} />
        <OpenLink id={id} name={title} url={content.url} />
      </div>
    </li>
  );
};

/** How far ahead of the end the next page is fetched. */
const AHEAD = '600px';

const NextPage = () => {
  const { library } = usePage();
  const { t } = useLocale();
  const { nextCursor, loading } = useLibrary();
  const end = useRef<HTMLDivElement>(null);

  // Observed anew after each page: a page too short to scroll would else be the last one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: nextCursor says that a page came
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void library.loadMore(), {
      rootMargin: AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [library, nextCursor]);

  if (nextCursor === null) return null;
  return (
    <div ref={end} className={styles.more}>
      <Button tone="quiet" isDisabled={loading !== 'no'} onPress={() => void library.loadMore()}>
        {loading === 'more' ? t.library.loading : t.library.loadMore}
      </Button>
    </div>
  );
};
