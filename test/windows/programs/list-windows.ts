/** Prints the windows and displays of this system's capturer as JSON, with the time it took (milliseconds). */

import { openScreenCapturer } from '../../../src/engine/capture/open-screen-capturer.ts';
import { createFindFfmpeg } from '../../../src/engine/video/ffmpeg.ts';

const never = new AbortController().signal;
const ffmpeg = createFindFfmpeg({ configured: null, environment: {} });
const recorder = openScreenCapturer({ platform: process.platform, environment: process.env, ffmpeg });
const begun = performance.now();
const windows = await recorder.windows(never);
const first = performance.now() - begun;
const again = performance.now();
const displays = await recorder.displays(never);
const displaysTook = performance.now() - again;
process.stdout.write(`${JSON.stringify({ windows, displays, took: { first, displays: displaysTook } })}\n`);
