/** For each test of a file: a fresh model of the service, and a temporary folder. */
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
