/** Starts the window. */

import './design/tokens.ts';
import './design/base.css';
import { keepInAddress } from './app/hash-route.ts';
import { App } from './app/app.tsx';
import { WindowFailed } from './error-boundary/error-screen.tsx';
import { startPage } from './start-page.tsx';

const { view } = startPage(<App />, WindowFailed);
keepInAddress(view, window);
