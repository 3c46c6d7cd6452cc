/**
 * Makes browsers use Inter as the system font where it is installed, so that the pictures do not depend on a computer's
 * own system font.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const preferred = (face: string): string =>
  `<match target="pattern"><test name="family"><string>${face}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`;

const PREFERENCE = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  ${['system-ui', 'sans', 'sans-serif', 'DejaVu Sans'].map(preferred).join('\n  ')}
</fontconfig>
`;

/** Makes browsers that are started from now on use Inter as the system font; `folder` stores the configuration. */
export const preferFace = (folder: string): void => {
  const path = join(folder, 'fonts.conf');
  writeFileSync(path, PREFERENCE);
  process.env['FONTCONFIG_FILE'] = path;
};
