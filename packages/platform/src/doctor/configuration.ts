import { ConfigError, type Environ, type Section } from '../config.ts';
import type { Tell } from './check.ts';

/**
 * Reads the part of the configuration that a check needs; tells what is wrong with it.
 * @param names the variables that it cannot do without; when none of them is set, the dependency is left out
 * @param whose who has them, such as `every service`
 * @returns undefined when there is nothing to look at
 */
export function readFor<T>(
  env: Environ,
  section: Section<T>,
  tell: Tell,
  { check, names, whose, optional = false }: { check: string; names: readonly string[]; whose: string; optional?: boolean },
): T | undefined {
  if (optional && names.every((name) => !env[name])) {
    tell.warning(
      check,
      `not looked at: ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} not set here`,
      `Run this where ${whose} has its variables.`,
    );
    return undefined;
  }
  try {
    return section(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems)
      tell.wrong(check, problem, `Set it as ${whose} has it; docs/distributed.md#configuration lists every variable.`);
    return undefined;
  }
}
