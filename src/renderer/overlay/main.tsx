/**
 * Entry point of the window that covers one display (`overlay.html#<its number>`): loaded once, and empty until it
 * shows a screenshot of its display.
 */

import '../design/install-tokens.ts';
import '../design/base.css';
import { mountPage, Started } from '../mount-page.tsx';
import { Overlay } from './overlay.tsx';
import { OverlayFailed } from './overlay-failed.tsx';

mountPage(
  <Started>
    <Overlay shows={Number(location.hash.slice(1)) || 1} />
  </Started>,
  OverlayFailed,
);
