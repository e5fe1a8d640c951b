import { apiDescription } from '@parcelway/contracts/openapi';
import { tags } from '@parcelway/contracts/openapi-tags';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { escaped, inline, paragraphs, plain } from '../html.ts';
import { rootFrom, type SitePage } from '../site-page.ts';
import type { Field } from './fields.ts';
import { type ClientCalls, type Operation, operationOf, slugOf } from './operation.ts';
import { endpoint, operationHtml } from './operation-html.ts';
import { operationMarkdown } from './operation-markdown.ts';

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

function tagPage(tag: string, ofTag: readonly RouteDefinition[], clients: ClientCalls): SitePage {
  const path = tagPath(tag);
  const lead = tags[tag] ?? '';
  const operations = ofTag.map((route) => operationOf(route, clients));
  const markdownHref = `${path.split('/').at(-1)}.md`;
  const head = `# ${tag}\n\n${lead}\n\n${variables('../first-parcel.md')}`;
  return {
    path,
    title: tag,
    lead,
    section: 'api',
    isWide: true,
    html: `<h1>${escaped(tag)}</h1>\n<p class="lead">${inline(lead)}</p>\n${operations.map((each) => operationHtml(each, rootFrom(path), markdownHref)).join('')}`,
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
  const path = 'docs/api';
  const lists = [...routesByTag()].map(([tag, ofTag]) => {
    const rows = ofTag.map(
      (route) =>
        `<li><a href="api/${slugOf(tag)}#${slugOf(route.id)}">${escaped(route.summary)}</a> <span class="endpoint">${endpoint(route.method, route.path)}</span></li>`,
    );
    return `<h2 id="${slugOf(tag)}"><a href="api/${slugOf(tag)}">${escaped(tag)}</a></h2>\n<p>${inline(tags[tag] ?? '')}</p>\n<ul class="routes">\n${rows.join('\n')}\n</ul>`;
  });
  const lines = [...routesByTag()].map(
    ([tag, ofTag]) =>
      `## [${tag}](api/${slugOf(tag)}.md)\n\n${tags[tag] ?? ''}\n\n${ofTag.map((route) => `- \`${route.method} ${route.path}\`: ${route.summary}`).join('\n')}`,
  );
  return {
    path,
    title: 'API reference',
    lead: 'Every route, with its fields, limits, errors and samples in six languages.',
    section: 'api',
    html: `<h1>API reference</h1>
${paragraphs(apiDescription)}
<p>The samples read the key from <code>PARCELWAY_API_KEY</code>, which <a href="first-parcel">First parcel</a> sets. Those in Python need the package requests, the others none.</p>
<p><a href="../openapi.json"><code>openapi.json</code></a> describes the same for generators of clients.</p>
${lists.join('\n')}
`,
    toc: [...routesByTag().keys()].map((tag) => ({ id: slugOf(tag), text: tag, depth: 2 })),
    markdown: `# API reference\n\n${apiDescription}\n\n${variables('first-parcel.md')}\n\n${lines.join('\n\n')}\n`,
    search: [{ id: '', heading: 'API reference', text: plain(apiDescription) }],
  };
}
