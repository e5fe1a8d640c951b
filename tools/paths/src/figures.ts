import type { Call } from './tracer.ts';

/** A file of a path, and how often it is entered. */
export interface FileEntries {
  readonly file: string;
  readonly entries: number;
}

/** How much a reader moves about on a path. */
export interface Figures {
  readonly files: number;
  /** Calls whose file is another one than that of the call before, in the same chain. */
  readonly entries: number;
  /** Files that are entered twice or more. */
  readonly filesEnteredAgain: number;
  /** Every file, the one entered most often first. */
  readonly byFile: readonly FileEntries[];
}

/** What the calls of a path add up to. */
export function figuresOf(calls: readonly Call[]): Figures {
  const counts = new Map<string, number>();
  for (const { file, isEntry } of calls) counts.set(file, (counts.get(file) ?? 0) + (isEntry ? 1 : 0));
  const byFile = [...counts].map(([file, entries]) => ({ file, entries })).sort((a, b) => b.entries - a.entries);
  return {
    files: byFile.length,
    entries: byFile.reduce((sum, { entries }) => sum + entries, 0),
    filesEnteredAgain: byFile.filter(({ entries }) => entries > 1).length,
    byFile,
  };
}

/**
 * The run with the fewest entries, the first of several. What varies between runs is work that some of them have in addition, such as a reload
 * of the keys: the fewest entries are the path itself.
 * @param runs calls of each, at least one
 */
export function shortestRun<T>(runs: readonly T[], callsOf: (run: T) => readonly Call[]): T {
  return [...runs].sort((a, b) => figuresOf(callsOf(a)).entries - figuresOf(callsOf(b)).entries)[0] as T;
}
