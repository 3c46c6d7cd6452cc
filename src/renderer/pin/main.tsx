/** Entry point of the window of a pinned image (`pin.html#<its id>`). */

import '../design/install-tokens.ts';
import '../design/base.css';
import { mountPage, Started } from '../mount-page.tsx';
import { createPinFailed } from './pin-failed.tsx';
import { PinnedImage } from './pinned-image.tsx';

const id = location.hash.slice(1);

mountPage(
  <Started>
    <PinnedImage id={id} />
  </Started>,
  createPinFailed(id),
);
