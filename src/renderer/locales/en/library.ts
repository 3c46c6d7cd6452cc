/** The library: search, filters and bulk actions. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const items = (count: number): string => `${number.format(count)} ${plural(count, { one: 'item', other: 'items' })}`;

export const enLibrary = {
  title: 'Library',
  count: items,
  search: 'Search the library',
  searchPlaceholder: 'Name, tag or text',
  found: (count: number) => (count === 0 ? 'Nothing found' : `${number.format(count)} found`),
  emptyTitle: 'Your links will be collected here',
  emptyText: 'Everything you share appears here with its link, so that you find it again.',
  emptyAction: 'Share the first file',
  noneTitle: (text: string) => `Nothing found for “${text}”`,
  noneText: 'Try the beginning of a word from the name, a tag, or the text of a note.',
  noneFiltered: 'Nothing of that kind here',
  noneFilteredText: 'The filters above leave nothing over.',
  showAll: 'Show everything',
  clearSearch: 'Clear the search',
  list: 'Published items',
  kind: { IMAGE: 'Picture', VIDEO: 'Video', PASTE: 'Note', FOLDER: 'Folder' },
  kinds: { IMAGE: 'Pictures', VIDEO: 'Videos', PASTE: 'Notes', FOLDER: 'Folders' },
  visibility: { private: 'Private', unlisted: 'Unlisted', public: 'Public' },
  filters: {
    label: 'Filters and order',
    kind: { label: 'Kind', any: 'Every kind' },
    visibility: { label: 'Who sees it', any: 'Any access' },
    state: { label: 'State', any: 'Every state' },
    states: { live: 'Link works', protected: 'Protected', gone: 'Gone' },
    period: { label: 'Shared', any: 'Any time' },
    periods: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days', year: 'Last year' },
    sort: 'Order',
    sorts: {
      newest: 'Newest first',
      oldest: 'Oldest first',
      title: 'By name',
      largest: 'Largest first',
      'most-viewed': 'Most viewed first',
    },
    looks: { grid: 'Show as pictures', list: 'Show as a list' },
  },
  gone: 'Gone from the service',
  deleting: 'Being deleted',
  undo: 'Undo',
  undoNamed: (name: string) => `Keep ${name}`,
  deleteNamed: (name: string) => `Delete ${name}`,
  forgetNamed: (name: string) => `Remove ${name} from the library`,
  choose: (name: string) => `Choose ${name}`,
  changing: (done: number, total: number) => `Changed: ${number.format(done)} of ${number.format(total)}`,
  changingMany: (count: number) => `Changing ${items(count)}.`,
  chosen: (count: number) => `${items(count)} chosen`,
  chosenLabel: 'Chosen items',
  chooseNone: 'Choose none',
  copyLinks: 'Copy links',
  change: 'Change',
  delete: 'Delete',
  tags: {
    has: 'Tags',
    add: 'Add tags',
    remove: (tag: string) => `Take the tag ${tag} off all of them`,
    added: (tags: string) => `Added: ${tags}`,
    removed: (tag: string) => `Taken off: ${tag}`,
  },
};
