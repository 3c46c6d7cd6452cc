/** Tracks whether a browser page of the app is open. */

export interface PagePresence {
  /** Registers an open page; returns the function to call when it closes. */
  join(): () => void;
  isAnyone(): boolean;
}

export const createPagePresence = (): PagePresence => {
  let pages = 0;
  return {
    join() {
      let isHere = true;
      pages += 1;
      return () => {
        if (isHere) pages -= 1;
        isHere = false;
      };
    },
    isAnyone: () => pages > 0,
  };
};
