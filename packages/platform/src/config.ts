import { parseDuration } from '@parcelway/kernel/duration';
import { parseUrl } from '@parcelway/kernel/parse-url';

/** The environment variables of a process. */
export type Environ = Readonly<Record<string, string | undefined>>;

/** Reads one variable. Throws Error with a sentence that completes "<NAME> …". */
export type Reader<T> = (value: string | undefined) => T;

/** A configuration that cannot be used; the message names every wrong variable and shows no value that may be secret. */
export class ConfigError extends Error {
  /** One sentence each, beginning with the name of the variable. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** An integer between `min` and `max`, or the fallback. */
export function integer(fallback: number, min: number, max: number): Reader<number> {
  return (value) => {
    if (value === undefined) return fallback;
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max) throw new Error(`must be an integer from ${min} to ${max}`);
    return number;
  };
}

/** A TCP port, 0 for any free one. */
export const port = (fallback: number): Reader<number> => integer(fallback, 0, 65535);

/** A duration such as `30s` or `90d` in milliseconds, or the fallback (written the same way). */
export function duration(fallback: string): Reader<number> {
  return (value) => {
    const ms = parseDuration(value ?? fallback);
    if (ms === undefined) throw new Error('must be a duration such as 500ms, 5s, 30m, 2h or 90d');
    return ms;
  };
}

/** One of a closed list. */
export function choice<const T extends readonly string[]>(values: T, fallback: T[number]): Reader<T[number]> {
  return (value) => {
    if (value === undefined) return fallback;
    if (!values.includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
    return value as T[number];
  };
}

/** The address under which others reach the platform: https, a host, and at most a path; without a slash at the end. */
export const httpsBaseUrl: Reader<string | undefined> = (value) => {
  if (value === undefined) return undefined;
  const url = parseUrl(value);
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('must be an https:// address without query, such as https://api.example.com');
  }
  return value.replace(/\/+$/, '');
};

/** Text, or the fallback. */
export const text =
  (fallback: string): Reader<string> =>
  (value) =>
    value ?? fallback;

/** Text that may be absent. */
export const optionalText: Reader<string | undefined> = (value) => value;

/** Items separated by commas; empty when absent. */
export const list: Reader<readonly string[]> = (value) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The readers of a configuration, by variable name. */
export type Readers<C> = { readonly [K in keyof C]: Reader<C[K]> };

/**
 * Reads a configuration. An empty variable counts as absent.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadConfig<C extends object>(env: Environ, readers: Readers<C>): C {
  const problems: string[] = [];
  const config: Partial<C> = {};
  for (const name of Object.keys(readers) as Array<keyof C & string>) {
    const value = env[name];
    try {
      config[name] = readers[name](value === '' ? undefined : value);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as C;
}

/** Reads one part of a configuration. @throws ConfigError */
export type Section<T> = (env: Environ) => T;

/**
 * Reads several parts of a configuration in one go, so that every wrong variable is named at once.
 * @throws ConfigError naming what is wrong in any of them
 */
export function loadSections<S extends Readonly<Record<string, Section<unknown>>>>(
  env: Environ,
  sections: S,
): { readonly [K in keyof S]: ReturnType<S[K]> } {
  const problems: string[] = [];
  const loaded: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(sections)) {
    try {
      loaded[name] = read(env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return loaded as { readonly [K in keyof S]: ReturnType<S[K]> };
}
