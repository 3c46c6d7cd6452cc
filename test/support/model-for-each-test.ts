/** For each test of a file: a model of the service that nothing has happened to, and a folder of its own. */
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { type ModelService, startModelService } from './server/model-service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** `use` gets both before each test. */
export const modelForEachTest = (name: string, use: (model: ModelService, folder: string) => void): void => {
  const root = temporaryFolder(name);
  let turn = 0;
  beforeEach(async () => {
    const model = await startModelService();
    onTestFinished(() => model.close());
    use(model, join(root, `test-${turn++}`));
  });
};
