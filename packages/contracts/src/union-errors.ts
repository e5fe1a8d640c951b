import type { ErrorObject } from 'ajv/dist/2020.js';

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Number of the branch of a union that an error comes from; undefined when it comes from elsewhere. */
function branchOf(error: ErrorObject, union: ErrorObject): string | undefined {
  const prefix = `${union.schemaPath}/`;
  const isWithin = error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`);
  return isWithin && error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/', 1)[0] : undefined;
}

/** The errors of a union's branches, less those of branches for another type of value; all of them when no type fits. */
function ofFittingBranches(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const misfits = new Set<string | undefined>();
  for (const error of errors) {
    const branch = branchOf(error, union);
    if (error.instancePath === union.instancePath && error.schemaPath === `${union.schemaPath}/${branch}/type`) misfits.add(branch);
  }
  const fitting = errors.filter((error) => !misfits.has(branchOf(error, union)));
  return fitting.length > 0 ? fitting : errors;
}

/**
 * Leaves out what the branches of a union say of a value that is not of their type: that 0 is not null helps nobody when a
 * number of at least 1 was wanted.
 * @param errors of ajv with `allErrors`, in its order: the errors of the branches come immediately before that of their union
 */
export function withoutMisfitBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (isUnion(error)) {
      let begin = kept.length;
      while (begin > 0 && branchOf(kept[begin - 1] as ErrorObject, error) !== undefined) begin -= 1;
      for (const branchError of ofFittingBranches(kept.splice(begin), error)) kept.push(branchError);
    }
    kept.push(error);
  }
  return kept;
}
