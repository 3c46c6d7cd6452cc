/** Frame of the dialogs of the command palette and of the list of shortcuts. */

import type { ReactNode } from 'react';
import { DialogFrame } from '../components/overlays/dialog.tsx';

/** Props of both dialogs. */
export interface DialogProps {
  readonly close: () => void;
  readonly showShortcuts: () => void;
}

interface FrameProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

export const PaletteDialogFrame = ({ label, close, children }: FrameProps) => (
  <DialogFrame label={label} isOpen onClose={close} place="top" size="wide">
    {children}
  </DialogFrame>
);
