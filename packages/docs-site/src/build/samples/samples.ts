import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { javaSample } from './java.ts';
import { nodeSample } from './node.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import type { SampleRequest } from './sample-request.ts';

/** A language of the samples. */
export interface SampleLanguage {
  readonly id: 'curl' | 'node' | 'python' | 'go' | 'java' | 'php';
  readonly name: string;
  /** Of the code, as fences of Markdown name it. */
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

/** A piece of code, for each language that has it. */
export type Samples = Readonly<Partial<Record<SampleLanguage['id'], string>>>;

/** A request in every language. */
export const samplesOf = (request: SampleRequest): Samples =>
  Object.fromEntries(sampleLanguages.map(({ id, write }) => [id, write(request)]));
