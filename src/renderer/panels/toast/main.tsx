/** Starts the page of the little window that tells of captures. */

import '../../design/tokens.ts';
import '../../design/base.css';
import { startPanel } from '../start-panel.tsx';
import { ToastWindow } from './toast-window.tsx';

startPanel('toast', <ToastWindow />);
