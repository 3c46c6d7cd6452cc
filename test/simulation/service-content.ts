/** Published items of the modelled service: what the app lists, reads, changes and deletes. */
import type { Content, UpdateContent } from '../../src/api/content.ts';
import type { Published } from './fixtures.ts';
import { type Asked, Refusal } from './request-response.ts';

export const createContents = (items: readonly Published[]) => {
  const own = ({ params }: Asked, account: string): Published => {
    const item = items.find(({ id, isDeleted }) => id === params['id'] && !isDeleted);
    if (!item || item.account !== account) throw new Refusal('NOT_FOUND');
    return item;
  };
  return {
    list({ query }: Asked, account: string) {
      const isListed = (item: Published) =>
        item.account === account && !item.isDeleted && (!query['type'] || item.content.type === query['type']);
      return {
        items: items
          .filter(isListed)
          .reverse()
          .map(({ content }) => content),
        nextCursor: null,
      };
    },
    read: (asked: Asked, account: string): Content => own(asked, account).content,
    readText(asked: Asked, account: string) {
      const { text, content } = own(asked, account);
      return { text, format: content.pasteFormat, language: content.pasteLanguage, revision: content.revision };
    },
    update(asked: Asked, account: string): Content {
      const item = own(asked, account);
      const { title, tags, visibility, allowDownload } = asked.json as UpdateContent;
      item.content = {
        ...item.content,
        ...(title !== undefined && { title }),
        ...(tags !== undefined && { tags }),
        ...(visibility !== undefined && { visibility }),
        ...(allowDownload !== undefined && { allowDownload }),
      };
      return item.content;
    },
    remove(asked: Asked, account: string): void {
      own(asked, account).isDeleted = true;
    },
  };
};
