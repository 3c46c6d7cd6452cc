/** Entry point of the capture toasts' window. */

import '../../design/tokens.ts';
import '../../design/base.css';
import { startPanel } from '../start-panel.tsx';
import { ToastWindow } from './toast-window.tsx';

startPanel('toast', <ToastWindow />);
