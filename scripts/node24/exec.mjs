#!/usr/bin/env node
/**
 * `exec` for the shell of Windows, which has none: the npm scripts say `exec node …`, so that on other systems the shell
 * makes room for Node and signals to npm arrive there.
 */
import { spawnSync } from 'node:child_process';

const [, , command, ...args] = process.argv;
// Looked up by its name, Windows would find the Node of the computer: it passes over the script that stands for this one.
const program = command === 'node' ? process.execPath : command;
const { status } = spawnSync(program, args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
