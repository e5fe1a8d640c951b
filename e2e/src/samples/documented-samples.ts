import type { ApiClient } from '@parcelway/harness/api-client';

/** Languages of the samples, by the fences of their code in the pages in Markdown. */
export const sampleLanguages = ['bash', 'javascript', 'python', 'go', 'java', 'php'] as const;

/** A language of the samples. */
export type SampleLanguage = (typeof sampleLanguages)[number];

/** A piece of code in several languages, as a reader finds it on a page. */
export interface DocumentedSample {
  /** Heading above it. */
  readonly title: string;
  /** Method and path, such as `GET /open/v1/warehouses`; undefined in the journey of a parcel. */
  readonly route?: string;
  readonly code: ReadonlyMap<SampleLanguage, string>;
}

function samplesIn(markdown: string): DocumentedSample[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const fences = [...section.matchAll(/^```([a-z]+)\n([\s\S]*?)^```$/gm)].map(([, fence, text = '']) => [fence, text] as const);
      const [, route] = /^`((?:GET|POST|PATCH|DELETE) \/\S+)`$/m.exec(section) ?? [];
      const found = sampleLanguages.flatMap((language) => {
        const texts = fences.filter(([fence]) => fence === language).map(([, text]) => text);
        return texts.length === 0 ? [] : [[language, texts.join('')] as const];
      });
      return { title: section.split('\n')[0] as string, ...(route === undefined ? {} : { route }), code: new Map(found) };
    });
}

/** A page in Markdown. @throws Error when there is none */
async function page(client: ApiClient, path: string): Promise<string> {
  const { status, text } = await client.call(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return text;
}

/** Method and path of a route → its samples, from all pages of the reference. */
export async function referenceSamples(client: ApiClient): Promise<ReadonlyMap<string, DocumentedSample>> {
  const pages = [...(await page(client, '/docs/api.md')).matchAll(/\]\((api\/[a-z-]+\.md)\)/g)].map(([, path]) => `/docs/${path}`);
  const samples = (await Promise.all(pages.map((path) => page(client, path)))).flatMap(samplesIn);
  return new Map(samples.flatMap((sample) => (sample.route === undefined ? [] : [[sample.route, sample] as const])));
}

/** The journey of a parcel, step by step: first what to install, then the commands that set the variables of all samples. */
export const journeySamples = async (client: ApiClient): Promise<readonly DocumentedSample[]> =>
  samplesIn(await page(client, '/docs/first-parcel.md'));
