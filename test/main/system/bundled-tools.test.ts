/** A packed app uses its own ffmpeg; every other start keeps its environment. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateFfmpeg } from '../../../src/engine/video/ffmpeg.ts';
import { withBundledTools } from '../../../src/main/system/bundled-tools.ts';
import { soon } from '../../support/poll-timeouts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the programs of a packed app', () => {
  it('come before those of the computer, and these stay reachable', async () => {
    const resources = temporaryFolder('resources');
    const environment = withBundledTools(process.env, resources);
    const signal = soon();
    const before = await locateFfmpeg({ configured: null, environment }, signal);
    expect(before?.path).toBeDefined();

    mkdirSync(join(resources, 'ffmpeg'));
    const bundled = join(resources, 'ffmpeg', 'ffmpeg');
    symlinkSync(before?.path ?? '', bundled);
    expect((await locateFfmpeg({ configured: null, environment }, signal))?.path).toBe(bundled);
    expect((await locateFfmpeg({ configured: before?.path ?? '', environment }, signal))?.path).toBe(before?.path);
  });

  it('keep the spelling of the variable', () => {
    const joined = ['/app/ffmpeg', '/tools'].join(delimiter);
    expect(withBundledTools({ Path: '/tools', HOME: '/h' }, '/app')).toEqual({ Path: joined, HOME: '/h' });
    expect(withBundledTools({ PATH: '/tools' }, '/app')).toEqual({ PATH: joined });
    expect(withBundledTools({ path: '/tools' }, '/app')).toEqual({ path: joined });
    expect(withBundledTools({}, '/app')).toEqual({ PATH: '/app/ffmpeg' });
  });

  it('are looked for only where there are some', () => {
    expect(withBundledTools({ PATH: '/tools' }, null)).toEqual({ PATH: '/tools' });
  });
});
