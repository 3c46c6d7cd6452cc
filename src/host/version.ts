/** The version of this app, from the package it came with. */
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;
