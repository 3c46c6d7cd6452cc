/** Loads the dialog with the QR codes and barcodes of a picture on demand. */
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useAppStores } from '../stores/use-app-stores.tsx';

const BarcodesDialog = lazy(async () => ({
  default: (await import('../picture-text/barcodes-dialog.tsx')).BarcodesDialog,
}));

export const LazyBarcodesDialog = () => {
  const { pictureText } = useAppStores();
  const codes = useStore(pictureText.store, (state) => state.codes);
  return (
    codes !== null && (
      <Suspense fallback={null}>
        <BarcodesDialog codes={codes} onClose={() => pictureText.showCodes(null)} />
      </Suspense>
    )
  );
};
