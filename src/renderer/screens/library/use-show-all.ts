/** Clears search and filters and focuses the search field, because the button that did it is unmounted. */

import { useAppStores } from '../../stores/use-app-stores.tsx';

export const useShowAll = (): (() => void) => {
  const { library, view } = useAppStores();
  return () => {
    library.showAll();
    view.search();
  };
};
