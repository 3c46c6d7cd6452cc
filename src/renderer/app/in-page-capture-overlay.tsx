/**
 * The region selection of a screenshot inside the page, for hosts without overlay windows. Its code loads before the
 * first capture.
 */

import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx';
import { OverlayFailed } from '../overlay/overlay-failed.tsx';
import { useApp } from '../stores/use-app-stores.tsx';

const Overlay = lazy(async () => ({ default: (await import('../overlay/overlay.tsx')).Overlay }));

const isInPage = (overlay: string): boolean => overlay === 'page';

/** Whether the frozen screen covers the page, so that the page below must be inert. */
export const useIsCovered = (): boolean =>
  useApp(({ capabilities, capture }) => isInPage(capabilities.overlay) && capture?.state === 'choosing');

export const InPageCaptureOverlay = () => {
  const shown = useApp(({ capabilities }) => isInPage(capabilities.overlay));
  return (
    shown && (
      <ErrorBoundary fallback={OverlayFailed}>
        <Suspense fallback={null}>
          <Overlay shows="all" />
        </Suspense>
      </ErrorBoundary>
    )
  );
};
