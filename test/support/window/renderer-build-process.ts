/** Builds the renderer for a test run and prints the output folder. */
import { env } from 'node:process';
import { RUN_ADDRESS } from '../browser/chromium.ts';
import { buildRenderer } from './renderer-build.ts';

// This process does the build, so it does not wait for another one.
delete env[RUN_ADDRESS];
console.log(await buildRenderer(process.argv[2] === 'shipped' ? 'shipped' : 'with-double'));
