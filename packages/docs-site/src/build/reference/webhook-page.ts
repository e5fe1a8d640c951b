import { buildOpenApi } from '@parcelway/contracts/openapi';
import { tags } from '@parcelway/contracts/openapi-tags';
import { codeBlock, escaped, inline, paragraphs, plain } from '../html.ts';
import { rootFrom, type SitePage } from '../site-page.ts';
import { type Field, fieldsOf } from './fields.ts';
import { slugOf } from './operation.ts';
import { bodyFields } from './operation-html.ts';
import { bodyLines } from './operation-markdown.ts';
import { tagPath } from './tag-pages.ts';

export const WEBHOOK_TAG = 'Webhook events';

interface DescribedWebhook {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description: string; readonly example: string }[];
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: unknown; readonly example: unknown }>> };
}

interface SentEvent extends Pick<DescribedWebhook, 'summary' | 'description' | 'parameters'> {
  readonly type: string;
  readonly anchor: string;
  readonly body: Pick<Field, 'children' | 'variants'>;
  readonly example: string;
}

function sentEvents(): SentEvent[] {
  const document = buildOpenApi({ environment: 'sandbox', baseUrl: 'https://api.example.com', exact: true }) as {
    readonly webhooks: Readonly<Record<string, { readonly post: DescribedWebhook }>>;
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  const resolve = (reference: string): unknown => document.components.schemas[reference.replace('#/components/schemas/', '')];
  return Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'] as { schema: unknown; example: unknown };
    const { summary, description, parameters } = post;
    const body = fieldsOf(schema, resolve);
    return {
      type,
      anchor: slugOf(type.replaceAll(/[._]/g, '-')),
      summary,
      description,
      parameters,
      body,
      example: JSON.stringify(example, null, 2),
    };
  });
}

function eventHtml({ type, anchor, summary, description, body, example }: SentEvent): string {
  return `<section class="operation" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="operation-text">
<h2 id="${anchor}-title">${escaped(summary)} <a class="anchor" href="#${anchor}" aria-label="Link to ${escaped(summary)}">#</a></h2>
<p class="endpoint"><code class="path">${type}</code></p>
${paragraphs(description)}
<h3>Body</h3>
${bodyFields(body, false)}
</div>
<div class="operation-code">
<p class="code-title">Example</p>
${codeBlock(example, 'json', `Example of ${type}`)}
</div>
</section>
`;
}

const eventMarkdown = ({ type, summary, description, body, example }: SentEvent): string =>
  [`## ${summary}`, `\`${type}\``, description, '### Body', bodyLines(body, false), `\`\`\`json\n${example}\n\`\`\``].join('\n\n');

export function webhookPage(): SitePage {
  const path = tagPath(WEBHOOK_TAG);
  const events = sentEvents();
  const lead = tags[WEBHOOK_TAG] ?? '';
  const headers = events[0]?.parameters ?? [];
  const verify = `${rootFrom(path)}docs/guides/webhooks/verifying-a-signature`;
  return {
    path,
    title: WEBHOOK_TAG,
    lead,
    section: 'api',
    isWide: true,
    html: `<h1>${WEBHOOK_TAG}</h1>
<p class="lead">${inline(lead)}</p>
<section class="operation" id="headers" aria-labelledby="headers-title">
<div class="operation-text">
<h2 id="headers-title">Headers of every delivery</h2>
<ul class="fields">
${headers.map(({ name, description }) => `<li><code class="field-name">${name}</code><p>${inline(description)}</p></li>`).join('\n')}
</ul>
<p><a href="${verify}">Verifying a signature</a> has the code in six languages.</p>
</div>
<div class="operation-code">
<p class="code-title">Example</p>
${codeBlock(headers.map(({ name, example }) => `${name}: ${example}`).join('\n'), 'http', 'Headers of a delivery')}
</div>
</section>
${events.map(eventHtml).join('')}`,
    toc: [
      { id: 'headers', text: 'Headers of every delivery', depth: 2 },
      ...events.map(({ anchor, summary }) => ({ id: anchor, text: summary, depth: 2 })),
    ],
    markdown: `${[`# ${WEBHOOK_TAG}`, lead, '## Headers of every delivery', headers.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n'), ...events.map(eventMarkdown)].join('\n\n')}\n`,
    search: [
      { id: '', heading: WEBHOOK_TAG, text: lead },
      ...events.map(({ anchor, summary, type, description }) => ({ id: anchor, heading: summary, text: plain(`${type} ${description}`) })),
    ],
  };
}
