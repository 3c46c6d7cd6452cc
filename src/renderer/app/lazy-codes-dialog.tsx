/** Loads the dialog with the QR codes and barcodes of a picture on demand. */
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useAppStores } from '../stores/use-app-stores.tsx';

const CodesDialog = lazy(async () => ({ default: (await import('../picture-text/codes-dialog.tsx')).CodesDialog }));

export const LazyCodesDialog = () => {
  const { pictureText } = useAppStores();
  const codes = useStore(pictureText.store, (state) => state.codes);
  return (
    codes !== null && (
      <Suspense fallback={null}>
        <CodesDialog codes={codes} onClose={() => pictureText.showCodes(null)} />
      </Suspense>
    )
  );
};
