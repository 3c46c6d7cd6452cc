#!/usr/bin/env node
/** Entry of the command line. */
import '../host/require-node.ts';
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// A third less CPU for a short command. The cache lies in the package: in the temporary folder anyone could plant code.
enableCompileCache(resolve(import.meta.dirname, '../../node_modules/.cache/linkshot'));

const { main } = await import('./main.ts');
process.exitCode = await main();
