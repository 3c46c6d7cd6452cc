/** The manifests for winget: what its schemas of version 1.10 require, with the hash of the installer. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { builderConfig, parseYaml, root } from '../support/desktop/builder-tools.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const URL = `https://downloads.example/v${version}/Linkshot-${version}-setup-x64.exe`;

describe('the manifests for winget', () => {
  let folder = '';
  let installer = '';
  beforeEach(() => {
    folder = temporaryFolder('winget');
    mkdirSync(folder, { recursive: true });
    installer = join(folder, 'setup.exe');
    writeFileSync(installer, 'an installer');
  });
  const run = (url: string, publisher = 'Linkshot Founders, Ltd.', ...more: readonly string[]) =>
    spawnSync(
      process.execPath,
      [
        ...[join(root, 'scripts/winget.ts'), '--installer', installer, '--url', url],
        ...['--publisher', publisher, '--into', folder, ...more],
      ],
      { encoding: 'utf8' },
    );

  it('are three files of one package and version in the folder that the repository requires', () => {
    const { status, stdout, stderr } = run(URL);
    expect([status, stderr]).toEqual([0, '']);
    const made = stdout.trim();
    expect(made).toBe(join(folder, 'manifests/l/LinkshotFoundersLtd/Linkshot', version));
    const names = readdirSync(made).sort();
    const identifier = 'LinkshotFoundersLtd.Linkshot';
    expect(names).toEqual([`${identifier}.installer.yaml`, `${identifier}.locale.en-US.yaml`, `${identifier}.yaml`]);
    const [forInstaller, locale, ofVersion] = names.map((name) => parseYaml(readFileSync(join(made, name), 'utf8')));
    const same = { PackageIdentifier: identifier, PackageVersion: version, ManifestVersion: '1.10.0' };
    expect(ofVersion).toEqual({ ...same, DefaultLocale: 'en-US', ManifestType: 'version' });
    expect(locale).toMatchObject({
      ...same,
      ...{ PackageLocale: 'en-US', Publisher: 'Linkshot Founders, Ltd.', PackageName: 'Linkshot', License: 'MIT' },
      ...{ ShortDescription: expect.stringMatching(/^.{3,256}$/), ManifestType: 'defaultLocale' },
    });
    expect(forInstaller).toMatchObject({
      ...same,
      ...{ ManifestType: 'installer', InstallerType: 'nullsoft', Scope: 'user', Protocols: ['linkshot'] },
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: URL,
          InstallerSha256: createHash('sha256').update('an installer').digest('hex').toUpperCase(),
        },
      ],
    });
  });

  it('fit the installer that electron-builder makes', async () => {
    const { nsis, win } = await builderConfig();
    expect(win).toMatchObject({ target: expect.arrayContaining(['nsis', 'portable']) });
    expect(nsis).toMatchObject({ oneClick: true, perMachine: false });
  });

  it.each([
    ['http://downloads.example/Linkshot-0.1.0-setup-x64.exe', 'begins with https://'],
    ['https://downloads.example/latest/setup.exe', 'does not name version'],
  ])('are refused for %s', (url, why) => {
    expect(run(url)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(why) });
  });

  it('are refused without a name that can be a part of the identifier', () => {
    expect(run(URL, '. .')).toMatchObject({ status: 1, stderr: expect.stringContaining('publisher') });
  });
});
