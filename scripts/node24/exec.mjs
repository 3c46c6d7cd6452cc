#!/usr/bin/env node
/**
 * Implements `exec` for the shell of Windows: the npm scripts say `exec node …`, so that on other systems Node replaces
 * the shell and receives npm's signals.
 */
import { spawnSync } from 'node:child_process';

const [, , command, ...args] = process.argv;
// By name, Windows would find the computer's own Node: it skips the script that replaces it here.
const program = command === 'node' ? process.execPath : command;
const { status } = spawnSync(program, args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
