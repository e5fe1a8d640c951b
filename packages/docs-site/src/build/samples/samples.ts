import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import { goSample, javaSample } from './programs.ts';
import type { SampleRequest } from './sample-request.ts';
import { curlSample, nodeSample, phpSample, pythonSample } from './scripts.ts';

export interface SampleLanguage {
  readonly id: 'curl' | 'node' | 'python' | 'go' | 'java' | 'php';
  readonly name: string;
  readonly fence: string;
  readonly write: (request: SampleRequest) => string;
}

/** The languages of the samples, in the order of their switch. Each has one template, which makes the sample of every route. */
export const sampleLanguages: readonly SampleLanguage[] = [
  { id: 'curl', name: 'curl', fence: 'bash', write: curlSample },
  { id: 'node', name: 'Node', fence: 'javascript', write: nodeSample },
  { id: 'python', name: 'Python', fence: 'python', write: pythonSample },
  { id: 'go', name: 'Go', fence: 'go', write: goSample },
  { id: 'java', name: 'Java', fence: 'java', write: javaSample },
  { id: 'php', name: 'PHP', fence: 'php', write: phpSample },
];

export type Samples = Readonly<Partial<Record<SampleLanguage['id'], string>>>;

export const samplesOf = (request: SampleRequest): Samples =>
  Object.fromEntries(sampleLanguages.map(({ id, write }) => [id, write(request)]));

const ADDRESS = EXAMPLE_BASE_URL.replaceAll('.', '\\.');

/** What a language writes before the address of a request, the sign around its texts, and an address that begins with the variable. */
interface AddressStyle {
  readonly before: string;
  readonly quote: string;
  readonly write: (path: string) => string;
}

const styles: Readonly<Record<SampleLanguage['id'], AddressStyle>> = {
  curl: { before: '^curl ', quote: "'", write: (path) => `"$PARCELWAY_BASE_URL${path}"` },
  node: { before: 'fetch\\(', quote: "'", write: (path) => `\`\${process.env.PARCELWAY_BASE_URL}${path}\`` },
  python: { before: 'requests\\.\\w+\\(\\s*', quote: '"', write: (path) => `os.environ["PARCELWAY_BASE_URL"] + "${path}"` },
  go: { before: 'http\\.NewRequest\\("[A-Z]+", ', quote: '"', write: (path) => `os.Getenv("PARCELWAY_BASE_URL")+"${path}"` },
  java: { before: 'URI\\.create\\(', quote: '"', write: (path) => `System.getenv("PARCELWAY_BASE_URL") + "${path}"` },
  php: { before: 'curl_init\\(', quote: "'", write: (path) => `getenv('PARCELWAY_BASE_URL') . '${path}'` },
};

function ownAddress(code: string, { before, quote, write }: AddressStyle): string {
  const address = new RegExp(`(${before})${quote}${ADDRESS}([^${quote}]*)${quote}`);
  if (!address.test(code)) throw new Error(`A sample does not write its address as expected: ${code}`);
  return code.replace(address, (_whole, start: string, path: string) => start + write(path));
}

/** A sample in Python that needs no key imports nothing by which it could read a variable. */
const withImport = (code: string): string => (/^import os$/m.test(code) ? code : code.replace(/^import requests$/m, 'import os\n\n$&'));

/** The samples of a request, with the address of the platform from the variable `PARCELWAY_BASE_URL`. */
export function withOwnAddress(samples: Samples): Samples {
  const changed = Object.entries(styles).flatMap(([id, style]) => {
    const code = samples[id as SampleLanguage['id']];
    if (code === undefined) return [];
    return [[id, ownAddress(id === 'python' ? withImport(code) : code, style)]];
  });
  return Object.fromEntries(changed);
}
