/** Every file that the server starts as a worker or child process exists, and the packed server contains it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const bundle = readFileSync(join(root, 'vite.server.config.ts'), 'utf8');
const callers = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/workerFile\(import\.meta\.url, '([^']*)'\)/g)].map(
    ([, name]) => ({
      file,
      name: name ?? '',
    }),
  ),
);

test('there are some', () => expect(callers.length).toBeGreaterThan(2));

test.each(callers)('$name of $file', ({ file, name }) => {
  const path = join(dirname(file), `${name}.ts`);
  expect(existsSync(join(root, path))).toBe(true);
  expect(bundle).toContain(`'${name}': resolve('${path}'),`);
});
