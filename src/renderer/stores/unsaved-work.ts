/**
 * Keeps the unsaved work of a page while its host does not answer: saves it as soon as the host answers again, and until
 * then holds the page against leaving and reloading.
 */
import type { EngineStore } from './engine-store.ts';

interface UnsavedWork {
  isUnsaved(): boolean;
  save(): unknown;
}

/** Returns the function that ends it. */
export const keepUnsavedWork = (
  engine: Pick<EngineStore, 'store'>,
  { isUnsaved, save }: UnsavedWork,
  page: Pick<Window, 'addEventListener' | 'removeEventListener'> = window,
): (() => void) => {
  const stop = engine.store.subscribe(({ link }, before) => {
    if (link === 'up' && before.link !== 'up') save();
  });
  // A host that answers receives it while the page ends.
  const hold = (event: Event): void => {
    if (engine.store.getState().link !== 'up' && isUnsaved()) event.preventDefault();
  };
  page.addEventListener('beforeunload', hold);
  return () => {
    stop();
    page.removeEventListener('beforeunload', hold);
  };
};
