/** The order of a run's test files: what is known to take long starts first, on a machine that has no times of its own too. */
import { resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_FILES } from './long-files.ts';
import { seededRandom } from './support/seeded-random.ts';

const places = new Map(LONG_FILES.map((file, place) => [resolve(import.meta.dirname, '..', file), place]));
const placeOf = ({ moduleId }: TestSpecification): number => places.get(moduleId) ?? LONG_FILES.length;

/** Within each project; all others keep Vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => own.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

/** `ORDER=n`: the files of each project in an order that is drawn from n. No result may depend on it. */
export class InDrawnOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = seededRandom(Number(process.env['ORDER']));
    const named = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const drawnPlaces = new Map(named.map((file) => [file, random()]));
    const projects = Map.groupBy(named, ({ project }) => project);
    return [...projects.values()].flatMap((own) =>
      own.toSorted((one, other) => (drawnPlaces.get(one) ?? 0) - (drawnPlaces.get(other) ?? 0)),
    );
  }
}
