import { inEngine } from '../../support/browser/in-each-engine.ts';
import { coreSuite } from './core-suite.ts';

inEngine('firefox', coreSuite);
