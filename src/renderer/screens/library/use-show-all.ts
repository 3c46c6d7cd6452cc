/** Takes search and filters back, with the keyboard in the search field: the button that did it is gone then. */

import { useAppStores } from '../../stores/use-app-stores.tsx';

export const useShowAll = (): (() => void) => {
  const { library, view } = useAppStores();
  return () => {
    library.showAll();
    view.search();
  };
};
