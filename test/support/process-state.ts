/** What a process keeps from one test file to the next. */
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import { resolve } from 'node:path';
import timers from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { livingSpares } from './server/spares.ts';

const OWNERS: Readonly<Record<string, object>> = {
  ...{ childProcess, crypto, dns, fs, 'fs.promises': fs.promises, http, https, net, os, timers },
  ...{ 'net.Server': net.Server.prototype, 'net.Socket': net.Socket.prototype, globalThis, process },
};
/** What works on beside the tests of the next file. */
const WORKING = ['ProcessWrap', 'TCPServerWrap', 'PipeServerWrap'];

/** sharp names its folder in VIPSHOME when it is loaded. */
const facts = (): Readonly<Record<string, unknown>> => ({
  'the folder': process.cwd(),
  'the mask of new files': process.umask(),
  'the arguments': [...process.argv],
  'the exit code': process.exitCode,
  ...Object.fromEntries(
    Object.entries(process.env)
      .filter(([name]) => name !== 'VIPSHOME')
      .map(([name, value]) => [`the variable ${name}`, value]),
  ),
});

/** Libraries listen to the exit once, when they are first used. */
const listeners = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    process
      .eventNames()
      .filter((name) => name !== 'exit')
      .map((name) => [`the listeners of ${String(name)}`, process.listenerCount(name)]),
  );

/** What electron-updater brings replaces these when it is first used. */
const REPLACED_LATE = ['fs.close', 'fs.closeSync', 'process.chdir', 'process.cwd'];

const functions = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(OWNERS).flatMap(([owner, members]) =>
      Object.entries(Object.getOwnPropertyDescriptors(members))
        .filter(([, { value }]) => typeof value === 'function')
        .map(([name, { value }]) => [`${owner}.${name}`, value] as const)
        .filter(([name]) => !REPLACED_LATE.includes(name)),
    ),
  );

/** Answers what changed since, in words. */
const remember = (read: () => Readonly<Record<string, unknown>>) => {
  const before = read();
  return (): readonly string[] => {
    const after = read();
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].filter((name) =>
      typeof before[name] === 'function' ? before[name] !== after[name] : !isDeepStrictEqual(before[name], after[name]),
    );
  };
};

/** The environment, the folder, the mask of new files, the arguments and the exit code. */
export const rememberFacts = () => remember(facts);

/** The functions of Node's modules and of the global object, and the listeners of the process. A library may change both when it is loaded. */
export const rememberLoaded = () => remember(() => ({ ...functions(), ...listeners() }));

/** The processes and servers of this process, by their kinds, without inspectors that wait for the next server. */
export const working = (): readonly string[] => {
  const resources = process.getActiveResourcesInfo().filter((resource) => WORKING.includes(resource));
  const processes = resources.filter((resource) => resource === 'ProcessWrap');
  return [...resources.filter((resource) => resource !== 'ProcessWrap'), ...processes.slice(livingSpares())];
};

/** electron-updater leaves the file of an interrupted download open, and takes another name for the next one. */
const ELECTRON_UPDATER = '/linkshot-updater/pending/temp-';

/** What this process has open in the temporary folder of the run; only Linux lists it. */
export const openFiles = (): readonly string[] => {
  const folder = process.env['LINKSHOT_RUN_FOLDER'];
  if (process.platform !== 'linux' || folder === undefined) return [];
  return fs
    .readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        // That of the list itself.
        return '';
      }
    })
    .filter((path) => path.startsWith(`${folder}/`) && !path.includes(ELECTRON_UPDATER));
};

const PIXEL = resolve(import.meta.dirname, '../../resources/icon.png');

/** Modules can forbid formats to sharp for the whole process. False: a picture that is in a file cannot be opened. */
export const pictureFilesOpen = async (): Promise<boolean> => {
  if (process.env['VIPSHOME'] === undefined) return true;
  const { default: sharp } = await import('sharp');
  return sharp(PIXEL)
    .metadata()
    .then(
      () => true,
      () => false,
    );
};
