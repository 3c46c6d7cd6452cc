#!/usr/bin/env node
/** Entry of the command line. */
import '../bridge/require-node.ts';

const { main } = await import('./main.ts');
process.exitCode = await main();
