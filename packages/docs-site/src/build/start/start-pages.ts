import { exampleParcel } from '@parcelway/contracts/example-parcel';
import { routeExamples } from '@parcelway/contracts/examples';
import { routeOf } from '@parcelway/contracts/routes';
import { searchOf, tocOf } from '../guides/guide-pages.ts';
import { type DocumentPart, renderMarkdown, splitDocument } from '../guides/render-markdown.ts';
import { escaped, plain } from '../html.ts';
import { inChinese } from '../navigation/words-zh.ts';
import { codeBlock, sampleFences, sampleTabs } from '../samples/code.ts';
import { javascript, literal, python } from '../samples/literals.ts';
import { bodyExample, pathExample, sampleRequest } from '../samples/sample-request.ts';
import { type Samples, samplesOf } from '../samples/samples.ts';
import type { SitePage } from '../site-page.ts';
import { render } from '../template.ts';

/** Code of the journey that no route of the contract describes, by language. */
export interface JourneyCode {
  readonly verify: Samples;
  readonly receive: Samples;
}

const NODE_CLIENT = `import { Parcelway } from '@parcelway/sdk';
const { PARCELWAY_API_KEY: apiKey, PARCELWAY_BASE_URL: baseUrl } = process.env;
const parcelway = new Parcelway({ apiKey, baseUrl });`;

const PYTHON_CLIENT = `import os

from parcelway import Parcelway

client = Parcelway(
    api_key=os.environ["PARCELWAY_API_KEY"],
    base_url=os.environ["PARCELWAY_BASE_URL"],
    ca_file=os.environ.get("PARCELWAY_CA_FILE"),
)`;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What differs from the first example of a route: the name of its body; the only argument of the client's method, or the parameter that it is. */
interface CallOptions {
  readonly example?: string;
  readonly argument?: string;
  readonly parameter?: string;
}

/** Samples of a route, with the clients where there are some. @param method as the client for Node names it, such as `webhookEndpoints.create` */
function call(id: string, method: string, { example, argument, parameter }: CallOptions = {}): Samples {
  const route = routeOf(id);
  const json = example === undefined ? bodyExample(route) : routeExamples[id]?.requests[example];
  const only = argument ?? (parameter === undefined ? json : pathExample(route, parameter));
  return {
    ...samplesOf({ ...sampleRequest(route), json }, true),
    node: `${NODE_CLIENT}\nconsole.log(await parcelway.${method}(${literal(only, javascript)}));`,
    python: `${PYTHON_CLIENT}\nprint(client.${snake(method)}(${literal(only, python)}))`,
  };
}

/** The samples that upload a PDF. @param name of the file in the reader's folder */
const upload = (name: string): Samples => ({
  ...samplesOf({ ...sampleRequest(routeOf('uploadPdf')), upload: { name, type: 'application/pdf' } }, true),
  node: `import { readFile } from 'node:fs/promises';\n${NODE_CLIENT}\nconst content = await readFile('${name}');\nconsole.log(await parcelway.files.uploadPdf({ name: '${name}', content }));`,
  python: `${PYTHON_CLIENT}\nprint(client.files.upload_pdf("${name}"))`,
});

/** A way in: title, address from `docs`, words. */
type Way = readonly [title: string, href: string, words: string];

/** What a template shows otherwise in Markdown than in a browser. */
interface Form {
  readonly samples: (samples: Samples) => string;
  readonly ways: (ways: readonly Way[]) => string;
}

const asMarkdown = (languages?: readonly string[]): Form => ({
  samples: (samples) => sampleFences(samples, languages),
  ways: (ways) => ways.map(([title, href, words]) => `- [${title}](${href}.md): ${words}`).join('\n'),
});

/** In blocks of code, of which `codeOf` makes HTML. */
const asHtml: Form = {
  samples: (samples) => `\`\`\`samples\n${JSON.stringify(samples)}\n\`\`\``,
  ways: (ways) => {
    const items = ways.map(
      ([title, href, words]) => `<li><a href="${href}"${inChinese(title)}>${escaped(title)}</a><p>${escaped(words)}</p></li>`,
    );
    return `\`\`\`html\n<ul class="ways">\n${items.join('\n')}\n</ul>\n\`\`\``;
  },
};

/** HTML of a code block. After the first block under a heading, labels are numbered. */
function codeOf(markdownHref: string): (text: string, language: string, heading: string) => string {
  const counts = new Map<string, number>();
  return (text, language, heading) => {
    if (language === 'html') return text;
    const count = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, count);
    const label = count === 1 ? heading : `${heading} (${count})`;
    return language === 'samples' ? sampleTabs(JSON.parse(text), label, markdownHref) : codeBlock(text, language, label);
  };
}

/** Anchor that a heading would have → a shorter one. */
const SHORT: Readonly<Record<string, string>> = { 'key-address-and-certificate': 'key', 'try-it-in-three-minutes': 'three-minutes' };

const withShortAnchors = ({ headings, markdown }: DocumentPart): DocumentPart => ({
  headings: headings.map((heading) => ({ ...heading, anchor: SHORT[heading.anchor] ?? heading.anchor })),
  markdown,
});

/** A page whose text is a template. @param text in either form */
function pageOf(path: string, text: (form: Form) => string): SitePage {
  const markdown = `${text(asMarkdown())}\n`;
  const { title, intro, sections } = splitDocument(markdown);
  const parts = [intro, ...sections].map(withShortAnchors);
  const headings = parts.flatMap((part) => part.headings);
  const hrefOf = (target: string): string => target.replace(/\.md$/, '');
  const html = renderMarkdown(text(asHtml), { headings, rise: 0, hrefOf, code: codeOf(`${path.split('/').at(-1)}.md`) });
  return {
    path,
    title,
    lead: plain(intro.markdown.split('\n\n')[1] ?? ''),
    section: 'start',
    html: html.replace('</h1>\n<p>', '</h1>\n<p class="lead">'),
    toc: tocOf(headings, 0),
    markdown,
    search: parts.flatMap((part, place) => searchOf(part, place)),
  };
}

const { poNumber } = exampleParcel;
const firstParcel = (code: JourneyCode, form: Form, isShort = false): string =>
  render('start/first-parcel', { ...code, ...form, call, upload, poNumber, isShort });

/** The journey of a parcel, in every language. @param code of the journey, by language */
export const journeyPage = (code: JourneyCode): SitePage => pageOf('docs/first-parcel', (form) => firstParcel(code, form));

const FIRST_TRY = ['Upload the label', 'Upload the packing list', 'Submit a forecast', 'Let the warehouse weigh it', 'Query the weighing'];

/** The start page, with the first steps of the journey. @param code of the journey, by language */
export const startPage = (code: JourneyCode): SitePage =>
  pageOf('docs', (form) => {
    const short = form === asHtml ? asHtml : asMarkdown(['curl', 'node', 'python']);
    const { sections } = splitDocument(firstParcel(code, short, true));
    const steps = sections.filter(({ headings: [heading] }) => FIRST_TRY.includes(heading?.text ?? ''));
    return render('start/start', { ...form, firstTry: steps.map(({ markdown }) => `#${markdown}`).join('\n') });
  });
