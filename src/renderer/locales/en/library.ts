/** English texts of the library: search, filters and bulk actions. */

import { createPlural } from '../plural.ts';

const plural = createPlural('en');
const number = new Intl.NumberFormat('en');
const items = (count: number): string => `${number.format(count)} ${plural(count, { one: 'item', other: 'items' })}`;

export const enLibrary = {
  title: 'Library',
  count: items,
  search: 'Search the library',
  searchPlaceholder: 'Title, tag or text',
  found: (count: number) => (count === 0 ? 'Nothing found' : `${number.format(count)} found`),
  emptyTitle: 'Your links will appear here',
  emptyText: 'Everything you share appears here with its link, so you can find it again.',
  emptyAction: 'Share your first file',
  noneTitle: (text: string) => `Nothing found for “${text}”`,
  noneText: 'Try the start of a word from its title, a tag, or the text of a note.',
  noneFiltered: 'No matches',
  noneFilteredText: 'No items match these filters.',
  showAll: 'Show everything',
  clearSearch: 'Clear the search',
  list: 'Shared items',
  kind: { IMAGE: 'Image', VIDEO: 'Video', PASTE: 'Note', FOLDER: 'Folder' },
  kinds: { IMAGE: 'Images', VIDEO: 'Videos', PASTE: 'Notes', FOLDER: 'Folders' },
  visibility: { private: 'Private', unlisted: 'Unlisted', public: 'Public' },
  filters: {
    label: 'Filters and sorting',
    kind: { label: 'Type', any: 'All types' },
    visibility: { label: 'Visibility', any: 'Any visibility' },
    state: { label: 'Status', any: 'Any status' },
    states: { live: 'Link works', protected: 'Restricted', gone: 'No longer on the server' },
    period: { label: 'Shared', any: 'Any time' },
    periods: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days', year: 'Last 12 months' },
    sort: 'Sort',
    sorts: {
      newest: 'Newest first',
      oldest: 'Oldest first',
      title: 'By title',
      largest: 'Largest first',
      'most-viewed': 'Most viewed',
    },
    looks: { grid: 'Grid view', list: 'List view' },
  },
  gone: 'No longer on the server',
  deleting: 'Deleting…',
  undo: 'Undo',
  undoNamed: (name: string) => `Undo deleting ${name}`,
  deleteNamed: (name: string) => `Delete ${name}`,
  forgetNamed: (name: string) => `Remove ${name} from the library`,
  choose: (name: string) => `Select ${name}`,
  changing: (done: number, total: number) => `Changed ${number.format(done)} of ${number.format(total)}`,
  changingMany: (count: number) => `Changing ${items(count)}…`,
  chosen: (count: number) => `${number.format(count)} selected`,
  chosenLabel: 'Selected items',
  chooseNone: 'Clear selection',
  copyLinks: 'Copy links',
  change: 'Change',
  delete: 'Delete',
  tags: {
    has: 'Tags',
    add: 'Add tags',
    remove: (tag: string) => `Remove the tag ${tag} from all`,
    added: (tags: string) => `Added: ${tags}`,
    removed: (tag: string) => `Removed: ${tag}`,
  },
};
