/** Entry point of the app window. */

import './design/install-tokens.ts';
import './design/base.css';
import { App } from './app/app.tsx';
import { WindowErrorFallback } from './error-boundary/error-fallbacks.tsx';
import { mountPage } from './mount-page.tsx';
import { syncWithAddress } from './stores/router-store.ts';

const { view } = mountPage(<App />, WindowErrorFallback);
syncWithAddress(view, window);
