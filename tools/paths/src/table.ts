import { type Figures, figuresOf } from './figures.ts';
import { type Paths, pathNames, pathTitles } from './paths.ts';
import type { Call } from './tracer.ts';

const MOST_ENTERED = 10;

/** The figures of all paths, for a person. */
export function figuresTable(paths: Paths): string {
  const rows = [
    ['Path', 'Files', 'Entries', 'Files entered twice or more'],
    ['---', '---:', '---:', '---:'],
  ];
  for (const name of pathNames) {
    const { files, entries, filesEnteredAgain } = figuresOf(paths[name]);
    rows.push([pathTitles[name], String(files), String(entries), String(filesEnteredAgain)]);
  }
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The files that a path enters most often. */
export function mostEntered({ byFile }: Figures): string {
  const rows = byFile.slice(0, MOST_ENTERED).map(({ file, entries }) => `${String(entries).padStart(4)}  ${file}`);
  return rows.join('\n');
}

/** Figures and most entered files of all paths. */
export function report(paths: Paths): string {
  const lists = pathNames.map((name) => `${pathTitles[name]}, entered most often:\n${mostEntered(figuresOf(paths[name]))}`);
  return [figuresTable(paths), ...lists].join('\n\n');
}

/** The entries of a path, in the order of time. A number marks the chain: numbers that alternate ran concurrently. */
export function sequence(calls: readonly Call[]): string {
  const chains = [...new Set(calls.map(({ chain }) => chain))];
  const steps = calls.filter(({ isEntry }) => isEntry);
  return steps.map(({ file, name, chain }) => `${String(chains.indexOf(chain) + 1).padStart(3)}  ${file}:${name}`).join('\n');
}
