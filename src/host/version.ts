/** The version of this app, read from its package. */
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;
