/** Creates self-signed certificates for 127.0.0.1 with the system's openssl, new ones for each test. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './fault-proxy.ts';

export const certificate = (folder: string, name: string, days = 2): Certificate => {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)],
      ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    ],
    { stdio: 'pipe' },
  );
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
};
