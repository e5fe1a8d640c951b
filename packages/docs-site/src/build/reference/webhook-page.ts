import { buildOpenApi } from '@parcelway/contracts/openapi';
import { tags } from '@parcelway/contracts/openapi-tags';
import { plain } from '../html.ts';
import { codeBlock } from '../samples/code.ts';
import { rootFrom, type SitePage } from '../site-page.ts';
import { render } from '../template.ts';
import { type Field, fieldsOf } from './fields.ts';
import { slugOf } from './operation.ts';
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

export function webhookPage(): SitePage {
  const path = tagPath(WEBHOOK_TAG);
  const events = sentEvents();
  const lead = tags[WEBHOOK_TAG] ?? '';
  const verify = `${rootFrom(path)}docs/guides/webhooks/verifying-a-signature`;
  const data = { title: WEBHOOK_TAG, lead, headers: events[0]?.parameters ?? [], events, verify, codeBlock };
  return {
    path,
    title: WEBHOOK_TAG,
    lead,
    section: 'api',
    isWide: true,
    html: `${render('html/webhooks', data)}\n`,
    toc: [
      { id: 'headers', text: 'Headers of every delivery', depth: 2 },
      ...events.map(({ anchor, summary }) => ({ id: anchor, text: summary, depth: 2 })),
    ],
    markdown: `${render('markdown/webhooks', data)}\n`,
    search: [
      { id: '', heading: WEBHOOK_TAG, text: lead },
      ...events.map(({ anchor, summary, type, description }) => ({ id: anchor, heading: summary, text: plain(`${type} ${description}`) })),
    ],
  };
}
