/** Converts schema errors of a request to issues that say what would be right. Pure. */
import type { FastifyError } from 'fastify';
import type { Issue } from '../problem.ts';

type Fault = NonNullable<FastifyError['validation']>[number];

/** If no schema of a choice matches, reports only the errors of the intended one. */
export const issuesOf = (faults: readonly Fault[]): readonly Issue[] => {
  const choices = faults.filter(
    (fault) => fault.keyword === 'anyOf' && !faults.some((other) => contains(other, fault)),
  );
  const alone = faults.filter((fault) => !choices.some((choice) => choice === fault || contains(choice, fault)));
  return [
    ...alone.flatMap(issuesOfOne),
    ...choices.flatMap((choice) =>
      issuesOfChoice(
        choice,
        faults.filter((fault) => contains(choice, fault)),
      ),
    ),
  ];
};

/** Whether `fault` was found in one of the schemas of `choice`. */
const contains = (choice: Fault, fault: Fault): boolean =>
  choice.keyword === 'anyOf' &&
  fault.schemaPath.startsWith(branchesOf(choice)) &&
  fault.instancePath.startsWith(choice.instancePath);

const branchesOf = ({ schemaPath }: Fault): string => `${schemaPath}/anyOf/`;

const issuesOfChoice = (choice: Fault, faults: readonly Fault[]): readonly Issue[] => {
  const start = branchesOf(choice).length;
  const branches = Map.groupBy(faults, ({ schemaPath }) => schemaPath.slice(start).split('/', 1)[0]);
  const isAnother = ({ keyword, instancePath }: Fault): boolean =>
    keyword === 'const' || (keyword === 'type' && instancePath === choice.instancePath);
  const intended = [...branches.values()].filter((branch) => !branch.some(isAnother));
  if (intended.length > 0) return intended.flatMap(issuesOf);
  const constants = faults.filter(({ keyword }) => keyword === 'const');
  if (constants.length > 0) {
    const values = constants.map(({ params }) => String(params['allowedValue']));
    return [{ path: constants[0]?.instancePath ?? '', message: `must be one of ${values.join(', ')}` }];
  }
  const types = new Set(faults.map(({ params }) => String(params['type'])));
  return [{ path: choice.instancePath, message: `must be ${[...types].join(' or ')}` }];
};

const issuesOfOne = ({ keyword, instancePath, message, params }: Fault): readonly Issue[] => {
  // A schema that allows nothing; the error about the unknown field itself says more.
  if (keyword === 'boolean') return [];
  const missing = params['requiredProperties'];
  if (keyword === 'required' && Array.isArray(missing)) {
    return missing.map((name) => ({ path: `${instancePath}/${String(name)}`, message: 'is required' }));
  }
  const unknown = params['additionalProperties'];
  if (keyword === 'additionalProperties' && Array.isArray(unknown)) {
    return unknown.map((name) => ({ path: `${instancePath}/${String(name)}`, message: 'is not a known field' }));
  }
  return [{ path: instancePath, message: message ?? 'is not valid' }];
};
