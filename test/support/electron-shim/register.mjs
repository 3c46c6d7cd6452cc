/** `node --import` this file to run the built desktop app on plain Node: `electron` is then the stand-in beside it. */
import { registerHooks } from 'node:module';

const shim = new URL('./shim.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: shim, shortCircuit: true } : next(specifier, context),
});
