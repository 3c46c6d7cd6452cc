/** Starts the page of the little window that tells of captures. */

import '../../design/tokens.ts';
import '../../design/base.css';
import { startPanel } from '../panel-page.tsx';
import { ToastWindow } from './toast-window.tsx';

startPanel(<ToastWindow />);
