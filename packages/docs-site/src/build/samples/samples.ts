import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import { render } from '../template.ts';
import * as literals from './literals.ts';
import type { SampleRequest } from './sample-request.ts';

export interface SampleLanguage {
  /** Also the name of its template, in `src/templates/samples`, which makes the sample of every route. */
  readonly id: 'curl' | 'node' | 'python' | 'go' | 'java' | 'php';
  readonly name: string;
  readonly fence: string;
  readonly quote: string;
  /** An expression of the address that begins with the variable `PARCELWAY_BASE_URL`. */
  readonly ownAddress: (path: string) => string;
}

/** The languages of the samples, in the order of their switch. */
export const sampleLanguages: readonly SampleLanguage[] = [
  { id: 'curl', name: 'curl', fence: 'bash', quote: "'", ownAddress: (path) => `"$PARCELWAY_BASE_URL${path}"` },
  { id: 'node', name: 'Node', fence: 'javascript', quote: "'", ownAddress: (path) => `\`\${process.env.PARCELWAY_BASE_URL}${path}\`` },
  { id: 'python', name: 'Python', fence: 'python', quote: '"', ownAddress: (path) => `os.environ["PARCELWAY_BASE_URL"] + "${path}"` },
  { id: 'go', name: 'Go', fence: 'go', quote: '"', ownAddress: (path) => `os.Getenv("PARCELWAY_BASE_URL")+"${path}"` },
  { id: 'java', name: 'Java', fence: 'java', quote: '"', ownAddress: (path) => `System.getenv("PARCELWAY_BASE_URL") + "${path}"` },
  { id: 'php', name: 'PHP', fence: 'php', quote: "'", ownAddress: (path) => `getenv('PARCELWAY_BASE_URL') . '${path}'` },
];

export type Samples = Readonly<Partial<Record<SampleLanguage['id'], string>>>;

const className = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** @param isOwn whether they read the address of the platform from a variable, for readers of text: a page in a browser shows its own */
export function samplesOf(request: SampleRequest, isOwn = false): Samples {
  const data = { ...request, ...literals, indented: JSON.stringify(request.json, null, 2), className: className(request.id) };
  return Object.fromEntries(
    sampleLanguages.map(({ id, quote, ownAddress }) => {
      const address = isOwn ? ownAddress(request.path) : `${quote}${EXAMPLE_BASE_URL}${request.path}${quote}`;
      return [id, render(`samples/${id}`, { ...data, address })];
    }),
  );
}
