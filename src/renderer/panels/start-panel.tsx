/** Starts the page of one of the host's little windows. */

import type { ReactNode } from 'react';
import { Started, startPage } from '../start-page.tsx';
import { createPanelFailed } from './panel-failed.tsx';
import type { Panel } from './panel-page.tsx';

export const startPanel = (panel: Panel, children: ReactNode): void => {
  startPage(<Started>{children}</Started>, createPanelFailed(panel));
};
