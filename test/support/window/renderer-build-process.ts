/** Builds the window for the run of the tests and prints where it is. */
import { env } from 'node:process';
import { RUN_ADDRESS } from '../browser/chromium.ts';
import { buildRenderer } from './renderer-build.ts';

// It is the one who builds, so it asks nobody.
delete env[RUN_ADDRESS];
console.log(await buildRenderer(process.argv[2] === 'shipped' ? 'shipped' : 'with-double'));
