/**
 * `node scripts/winget.ts --installer FILE --url ADDRESS --publisher NAME [--into DIR]`: writes the manifests by which
 * winget installs this version, for a pull request to its community repository. Run it for an installer that is
 * published at that address and does not change any more; docs/packaging.md describes the steps.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Of winget's schemas, which its client has supported since version 1.10. */
const SCHEMA = '1.10.0';
const NAME = 'Linkshot';

const usage = 'node scripts/winget.ts --installer FILE --url ADDRESS --publisher NAME [--into DIR]';
const refuse = (message: string): never => {
  console.error(message);
  process.exit(1);
};

const { values } = parseArgs({
  options: {
    installer: { type: 'string' },
    url: { type: 'string' },
    publisher: { type: 'string' },
    into: { type: 'string', default: 'dist/winget' },
  },
});
const { installer, url, publisher, into } = values;
if (installer === undefined || url === undefined || publisher === undefined) refuse(usage);
else if (!/^https:\/\/\S+\.exe$/.test(url))
  refuse('The address of the installer begins with https:// and ends with .exe.');
else {
  const { version, license, description } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as Readonly<Record<'version' | 'license' | 'description', string>>;
  if (!url.includes(version))
    refuse(`The address does not name version ${version}, so it would change with the next one.`);
  const hash = createHash('sha256').update(readFileSync(installer)).digest('hex').toUpperCase();
  const maker = publisher.replaceAll(/[^\p{L}\p{N}-]/gu, '');
  if (maker === '' || maker.length > 32) refuse('The name of the publisher needs one to 32 letters or digits.');
  const identifier = `${maker}.${NAME}`;

  const manifest = (type: string, fields: Readonly<Record<string, unknown>>): string => {
    const all = { PackageIdentifier: identifier, PackageVersion: version, ...fields };
    // A JSON value is a YAML value.
    const lines = Object.entries({ ...all, ManifestType: type, ManifestVersion: SCHEMA }).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    );
    const schema = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${SCHEMA}.schema.json`;
    return `${[schema, ...lines].join('\n')}\n`;
  };
  const files = {
    [`${identifier}.yaml`]: manifest('version', { DefaultLocale: 'en-US' }),
    [`${identifier}.locale.en-US.yaml`]: manifest('defaultLocale', {
      PackageLocale: 'en-US',
      Publisher: publisher,
      PackageName: NAME,
      License: license,
      ShortDescription: description,
      Moniker: NAME.toLowerCase(),
      Tags: ['screenshot', 'screen-capture', 'share', 'upload'],
    }),
    [`${identifier}.installer.yaml`]: manifest('installer', {
      Platform: ['Windows.Desktop'],
      MinimumOSVersion: '10.0.0.0',
      // The NSIS installer of electron-builder.yml: for one user, without an administrator.
      InstallerType: 'nullsoft',
      Scope: 'user',
      InstallModes: ['interactive', 'silent'],
      UpgradeBehavior: 'install',
      Protocols: ['linkshot'],
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: hash }],
    }),
  };
  const folder = resolve(into, 'manifests', maker.charAt(0).toLowerCase(), maker, NAME, version);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(folder);
}
