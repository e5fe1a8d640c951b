import { apiDescription } from '@parcelway/contracts/openapi';
import { tags } from '@parcelway/contracts/openapi-tags';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { escaped, inline, plain } from '../html.ts';
import { codeBlock, sampleFences, sampleTabs } from '../samples/code.ts';
import { sampleRequest } from '../samples/sample-request.ts';
import { samplesOf } from '../samples/samples.ts';
import { rootFrom, type SitePage } from '../site-page.ts';
import { render } from '../template.ts';
import type { Field } from './fields.ts';
import { type ClientCalls, type Operation, operationOf, slugOf } from './operation.ts';

/** What the samples of a page in Markdown read. @param firstParcel way to the page that sets it */
const variables = (firstParcel: string): string =>
  `The samples read \`PARCELWAY_API_KEY\` and \`PARCELWAY_BASE_URL\`, which [First parcel](${firstParcel}) sets. Those in Python need the package requests, the others none.`;

export const tagPath = (tag: string): string => `docs/api/${slugOf(tag)}`;

const fieldNames = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, children, variants }) => [name, ...fieldNames([...children, ...variants.flatMap((variant) => variant.fields)])]);

/** Words by which the search finds a route: what it is about, its path, its errors, the names of the fields of its request and response. */
function searchText({ route, parameters, body, data, failures, clients }: Operation): string {
  const ofBody = [body, data].flatMap((each) => [...(each?.children ?? []), ...(each?.variants ?? []).flatMap(({ fields }) => fields)]);
  const names = [...parameters.map(({ name }) => name), ...fieldNames(ofBody)];
  const codes = failures.filter(({ isCommon }) => !isCommon).map(({ code }) => code);
  return plain(
    [route.method, route.path, route.id, route.description ?? '', ...new Set(names), ...codes, ...clients.map(({ call }) => call)].join(
      ' ',
    ),
  );
}

/** A route in the Markdown of its page. */
export const operationMarkdown = (operation: Operation): string =>
  render('markdown/operation', { operation, samples: sampleFences(samplesOf(sampleRequest(operation.route), true)) });

function tagPage(tag: string, ofTag: readonly RouteDefinition[], clients: ClientCalls): SitePage {
  const path = tagPath(tag);
  const lead = tags[tag] ?? '';
  const operations = ofTag.map((route) => operationOf(route, clients));
  const links = { root: rootFrom(path), markdownHref: `${path.split('/').at(-1)}.md` };
  const html = operations.map((operation) => render('html/operation', { operation, ...links, codeBlock, sampleTabs }));
  const head = `# ${tag}\n\n${lead}\n\n${variables('../first-parcel.md')}`;
  return {
    path,
    title: tag,
    lead,
    section: 'api',
    isWide: true,
    html: `<h1>${escaped(tag)}</h1>\n<p class="lead">${inline(lead)}</p>\n${html.join('\n')}\n`,
    toc: operations.map(({ anchor, route }) => ({ id: anchor, text: route.summary, depth: 2 })),
    markdown: `${[head, ...operations.map(operationMarkdown)].join('\n\n')}\n`,
    search: [
      { id: '', heading: tag, text: lead },
      ...operations.map((each) => ({ id: each.anchor, heading: each.route.summary, text: searchText(each) })),
    ],
  };
}

export function routesByTag(described: readonly RouteDefinition[] = routes): ReadonlyMap<string, readonly RouteDefinition[]> {
  const byTag = new Map<string, RouteDefinition[]>();
  for (const route of described) byTag.set(route.tag, [...(byTag.get(route.tag) ?? []), route]);
  return byTag;
}

/** One page for each tag, with all its routes. @param clients how the clients call them @throws Error when the contract lacks an example */
export const tagPages = (clients: ClientCalls): SitePage[] => [...routesByTag()].map(([tag, ofTag]) => tagPage(tag, ofTag, clients));

/** The beginning of the reference: what holds for every call, and every route. */
export function referencePage(): SitePage {
  const described = [...routesByTag()].map(([tag, ofTag]) => ({ tag, slug: slugOf(tag), lead: tags[tag] ?? '', routes: ofTag }));
  const data = { description: apiDescription, tags: described, slugOf, variables: variables('first-parcel.md') };
  return {
    path: 'docs/api',
    title: 'API reference',
    lead: 'Every route, with its fields, limits, errors and samples in six languages.',
    section: 'api',
    html: `${render('html/reference', data)}\n`,
    toc: described.map(({ tag, slug }) => ({ id: slug, text: tag, depth: 2 })),
    markdown: render('markdown/reference', data),
    search: [{ id: '', heading: 'API reference', text: plain(apiDescription) }],
  };
}
