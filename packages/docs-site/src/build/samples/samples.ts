import { EXAMPLE_BASE_URL } from '@parcelway/contracts/example-parcel';
import { goSample, javaSample } from './programs.ts';
import type { SampleRequest } from './sample-request.ts';
import { curlSample, nodeSample, phpSample, pythonSample } from './scripts.ts';

export interface SampleLanguage {
  readonly id: 'curl' | 'node' | 'python' | 'go' | 'java' | 'php';
  readonly name: string;
  readonly fence: string;
  /** @param address of the request, as an expression of the language */
  readonly write: (request: SampleRequest, address: string) => string;
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

/** An address that begins with the variable `PARCELWAY_BASE_URL`. */
const ownAddresses: Readonly<Record<SampleLanguage['id'], (path: string) => string>> = {
  curl: (path) => `"$PARCELWAY_BASE_URL${path}"`,
  node: (path) => `\`\${process.env.PARCELWAY_BASE_URL}${path}\``,
  python: (path) => `os.environ["PARCELWAY_BASE_URL"] + "${path}"`,
  go: (path) => `os.Getenv("PARCELWAY_BASE_URL")+"${path}"`,
  java: (path) => `System.getenv("PARCELWAY_BASE_URL") + "${path}"`,
  php: (path) => `getenv('PARCELWAY_BASE_URL') . '${path}'`,
};

const fixedAddress = (id: SampleLanguage['id'], path: string): string => {
  const quote = id === 'python' || id === 'go' || id === 'java' ? '"' : "'";
  return `${quote}${EXAMPLE_BASE_URL}${path}${quote}`;
};

export type Samples = Readonly<Partial<Record<SampleLanguage['id'], string>>>;

/** @param isOwn whether they read the address of the platform from a variable, for readers of text: a page in a browser shows its own */
export const samplesOf = (request: SampleRequest, isOwn = false): Samples =>
  Object.fromEntries(
    sampleLanguages.map(({ id, write }) => [id, write(request, isOwn ? ownAddresses[id](request.path) : fixedAddress(id, request.path))]),
  );
