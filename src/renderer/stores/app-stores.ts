/**
 * Creates the stores that the components of a window share, around a transport that sends commands to the app's host.
 * The dependencies are injected, so that tests can replace them.
 */

import type { ItemId } from '../../api/ids.ts';
import type { HostAddresses, PageTransport } from '../../ipc/client/transport.ts';
import { loadCatalogue } from '../locales/load-catalogue.ts';
import { type AnimatedImage, createAnimatedImage } from './captures/animated-image-export.ts';
import { createEditedCopies, type EditedCopies } from './captures/copy-edited.ts';
import { createPictureCopies, type PictureCopies } from './captures/copy-picture.ts';
import { createEditedCaptureStore, type EditedCaptureStore } from './captures/edited-capture-store.ts';
import { createPictureText, type PictureText } from './captures/picture-text.ts';
import { createReviewChoices, type ReviewChoicesStore } from './captures/review-choices.ts';
import { createEngineStore, type EngineStore } from './engine-store.ts';
import { createPendingFiles, type PendingFiles } from './file-input/pending-files.ts';
import { createPendingFolders, type PendingFolders } from './file-input/pending-folders.ts';
import { createI18nStore, type I18nStore } from './i18n-store.ts';
import { type CaptureToasts, createCaptureToasts } from './messages/capture-toasts.ts';
import { createErrorList, type ErrorList } from './messages/error-list.ts';
import { createToasts, type Toasts } from './messages/toasts.ts';
import type { NewNotes } from './new-notes.ts';
import type { PageClipboard } from './page-clipboard.ts';
import { createLinks, type Links } from './published/copy-links.ts';
import { createItemDeletion, type ItemDeletion } from './published/delete-items.ts';
import { createItemDetailsStore, type ItemDetailsStore } from './published/item-details-store.ts';
import { createItemText, type ItemText } from './published/item-text-recognition.ts';
import { createLibrary, type Library } from './published/library-store.ts';
import { createOptimisticChanges, type FailedChange, type OptimisticChanges } from './published/optimistic-changes.ts';
import { createProgress, type Progress } from './queue/overall-progress.ts';
import { createTimelines, type Timelines } from './queue/timelines.ts';
import { createRouterStore, type RouterStore } from './router-store.ts';

export interface AppStoresDeps {
  readonly transport: PageTransport;
  readonly clipboard: PageClipboard;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: () => number;
}

export interface AppStores {
  readonly engine: EngineStore;
  readonly pendingFiles: PendingFiles;
  readonly folders: PendingFolders;
  readonly library: Library;
  readonly changes: OptimisticChanges;
  readonly itemDetails: ItemDetailsStore;
  readonly links: Links;
  readonly problems: ErrorList;
  readonly progress: Progress;
  readonly removal: ItemDeletion;
  readonly timelines: Timelines;
  readonly toasts: Toasts;
  readonly captureToasts: CaptureToasts;
  readonly view: RouterStore;
  readonly i18n: I18nStore;
  readonly editing: EditedCaptureStore;
  readonly editedCopies: EditedCopies;
  readonly pictureCopies: PictureCopies;
  readonly animatedImage: AnimatedImage;
  readonly pictureText: PictureText;
  readonly review: ReviewChoicesStore;
  readonly itemText: ItemText;
  readonly newNotes: NewNotes;
  readonly clipboard: PageClipboard;
  readonly now: () => number;
  /** URLs of files that the host serves next to the page. */
  readonly addresses: HostAddresses;
  /** Starts a native drag of an item's file; null: not supported by this host. */
  readonly dragFile: ((id: ItemId) => void) | null;
}

export const createAppStores = ({ transport, clipboard, now }: AppStoresDeps): AppStores => {
  const problems = createErrorList({ transport, now });
  const toasts = createToasts({ onFailure: problems.add });
  const engine = createEngineStore({ transport, toasts });
  const library = createLibrary({ transport, now });
  const itemDetails = createItemDetailsStore({ transport });
  const view = createRouterStore();
  /** Library and item page show the failure themselves and offer a retry. */
  const isShownInPlace = ({ ids }: FailedChange): boolean => {
    const { shown } = view.store.getState();
    return shown.screen === 'library' || (shown.screen === 'item' && ids.includes(shown.id));
  };
  const changes = createOptimisticChanges({
    ...{ transport, now },
    applyItems(items) {
      library.applyItems(items);
      itemDetails.applyItems(items);
    },
    onFailed(failed) {
      if (!isShownInPlace(failed)) toasts.show({ kind: 'failure', failure: failed.failure });
    },
  });
  const i18n = createI18nStore({
    load: loadCatalogue,
    onMissing: () => toasts.show({ kind: 'wordsMissing' }),
    onLoaded: () => toasts.withdraw('wordsMissing'),
  });
  transport.onLink((link) => {
    if (link === 'up') void i18n.tryAgain();
  });
  const captureToasts = createCaptureToasts({ transport, now });
  transport.on((event) => {
    if (event.type === 'linked' || event.type === 'library') library.markStale();
  });
  const review = createReviewChoices({ engine, toasts });
  return {
    engine,
    library,
    changes,
    itemDetails,
    pendingFiles: createPendingFiles({
      transport,
      asksBeforeFit: () => engine.store.getState().app?.settings.askBeforeFit ?? true,
      usualFit: () => engine.store.getState().app?.settings.fit ?? 'balanced',
    }),
    folders: createPendingFolders({ transport, toasts, view, now }),
    links: createLinks({ transport, engine, toasts, captureToasts, clipboard, now }),
    problems,
    progress: createProgress(),
    removal: createItemDeletion({ engine, library, toasts, now }),
    timelines: createTimelines({ transport }),
    toasts,
    captureToasts,
    view,
    i18n,
    editing: createEditedCaptureStore({ transport, engine, toasts, view, now }),
    editedCopies: createEditedCopies({ transport, engine, clipboard }),
    pictureCopies: createPictureCopies({ transport, clipboard, toasts }),
    animatedImage: createAnimatedImage({ transport, engine, toasts, review }),
    pictureText: createPictureText({ transport, engine, toasts, clipboard }),
    review,
    itemText: createItemText({ transport, engine }),
    newNotes: { passwords: new Map(), next: null },
    clipboard,
    now,
    addresses: transport,
    dragFile: transport.dragFile ?? null,
  };
};
