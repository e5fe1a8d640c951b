import { ConfigError, type Environ, type Section } from '../config.ts';
import type { Report } from './check.ts';

/**
 * Reads the part of the configuration that a check needs and reports what is wrong with it.
 * @param names the required variables; an `optional` dependency is skipped when none of them is set
 * @param whose who has them, such as `every service`
 * @returns undefined when there is nothing to check
 */
export function readFor<T>(
  env: Environ,
  section: Section<T>,
  report: Report,
  { check, names, whose, optional = false }: { check: string; names: readonly string[]; whose: string; optional?: boolean },
): T | undefined {
  if (optional && names.every((name) => !env[name])) {
    report.warning(
      check,
      `not checked: ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} not set here`,
      `Run this with the environment variables of ${whose}.`,
    );
    return undefined;
  }
  try {
    return section(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems)
      report.wrong(check, problem, `Set it to the value that ${whose} has. docs/distributed.md#configuration lists every variable.`);
    return undefined;
  }
}
