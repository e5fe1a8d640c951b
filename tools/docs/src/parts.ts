// The parts of docs/ that are made from the code. Each is between two markers that name it:
//
//   <!-- generated: error-codes -->
//   …
//   <!-- end: error-codes -->
//
// `npm run docs` writes them; parts.test.ts fails when one is stale.

import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { remedies } from '@parcelway/contracts/description/remedies';
import { routeExamples, warehouseEventExamples, webhookExamples } from '@parcelway/contracts/examples';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { consumerActionOf, errorCatalogue, errorCodes } from '@parcelway/kernel/error-codes';
import { failpointNames } from '@parcelway/kernel/failpoint';
import { fileCollections } from '@parcelway/service-file/collections';
import { forecastCollections } from '@parcelway/service-forecast/collections';
import { gatewayCollections } from '@parcelway/service-gateway/collections';
import { carrierWords } from '@parcelway/service-tracking/carrier-status';
import { trackingCollections } from '@parcelway/service-tracking/collections';
import { intakeCollections } from '@parcelway/service-warehouse-intake/collections';
import type { Collection } from '@parcelway/store/collection';
import { type MetricDescription, metricCatalogue } from '@parcelway/telemetry/metric-catalogue';
import { readRules, ruleTexts } from '@parcelway/tools-observability/prometheus-rules';
import { adminRouteTable } from './admin-routes.ts';
import { commonEventTable, eventTable, warehouseEventTable } from './event-tables.ts';
import { code, fieldTable, json, table } from './markdown.ts';
import { isWarehouse, isWebhook, limitTable, pythonMethodTable, repeatTable, routeTable, sdkMethodTable } from './route-tables.ts';

// What the services keep, read from the declarations of their collections.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** All that is kept, by service. */
export const storedCollections: Readonly<Record<string, readonly Collection[]>> = {
  gateway: gatewayCollections,
  forecast: forecastCollections,
  file: fileCollections,
  'warehouse-intake': intakeCollections,
  tracking: trackingCollections,
};

function spanOf(ms: number): string {
  if (ms === 0) return 'until its messages are published';
  const [count, unit] = ms >= DAY_MS ? [ms / DAY_MS, 'day'] : [ms / HOUR_MS, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function keptOf({ ends }: Collection): string {
  if (ends === 'never') return 'for ever';
  if (typeof ends === 'string') return ends;
  return ends
    .map(({ keptMs, within = [] }) => `${spanOf(keptMs)}${within.length > 0 ? ` (${within.map(code).join(', ')})` : ''}`)
    .join(', ');
}

/** Collections with what they hold, how long it is kept, and whether the export of a tenant has it. */
export const storedDataTable = (): string =>
  table(
    ['Collection', 'Holds', 'Kept', 'In the export of a tenant'],
    Object.entries(storedCollections).flatMap(([service, collections]) =>
      collections.map((one) => [
        code(`${service}.${one.name}`),
        one.describe,
        keptOf(one),
        typeof one.tenant === 'object' ? '' : typeof one.copy === 'string' ? `no: ${one.copy}` : 'yes',
      ]),
    ),
  );

// The commands of parcelctl, read from its own help.

/** Options that every command has: the page names them once. */
const OF_ALL = ['--json', '--version'];

/** What `parcelctl … --help` prints. */
async function helpOf(...command: string[]) {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const status = await runParcelctl([...command, '--help'], { env: {}, out: write, err: write });
  if (status !== 0) throw new Error(`parcelctl ${command.join(' ')} --help ends with ${status}: ${text}`);
  return text;
}

/** Names of the commands that a help text lists. */
function commandsIn(help: string): string[] {
  const [, listed = ''] = /^Commands:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** Rows of all commands below one, or of all there are: usage, what it does, its own options. */
export async function commandRows(...command: string[]): Promise<string[][]> {
  const help = await helpOf(...command);
  const names = commandsIn(help);
  if (names.length > 0) return (await Promise.all(names.map((name) => commandRows(...command, name)))).flat();
  const [, usage = '', does = ''] = /^Usage: parcelctl (.*)\n\n([\s\S]*?)\n\n/.exec(help) ?? [];
  const options = [...help.matchAll(/^ {2}(--[a-z-]+(?: <[a-z:]+>)?)/gm)]
    .map(([, option = '']) => option)
    .filter((option) => !OF_ALL.includes(option));
  return [[code(usage.replace(' [options]', '')), does.replace(/\s+/g, ' '), options.map(code).join(', ')]];
}

/** A signed webhook to try a verification with, and how: its timestamp is long past, so each example is run with the clock set to it. */
function signatureVector() {
  const id = webhookExamples['parcel.weighed'].data.event_id;
  const timestamp = Math.floor(Date.parse(webhookExamples['parcel.weighed'].timestamp) / 1000);
  const body = JSON.stringify(webhookExamples['parcel.weighed']);
  const secret = `whsec_${Buffer.from('an example secret of 32 bytes !!').toString('base64')}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return [
    '```text',
    `secret             ${secret}`,
    `webhook-id         ${id}`,
    `webhook-timestamp  ${timestamp}`,
    `webhook-signature  v1,${signature}`,
    `body               ${body}`,
    '```',
    '',
    '| Example | Try it with |',
    '| --- | --- |',
    `| Node, client | \`verifyWebhook(body, headers, secret, { now: new Date(${timestamp}000) })\` |`,
    `| Node, \`standardwebhooks\` | \`new Webhook(secret).sign(id, new Date(${timestamp}000), body)\`, which gives the \`webhook-signature\`; \`verify\` knows only the present |`,
    `| Python | \`verify_webhook(body, headers, secret, now=${timestamp})\`, standalone or of the client, with \`body\` as bytes |`,
    `| Go | \`Verify(body, headers, secret, time.Unix(${timestamp}, 0))\` |`,
    `| Java | \`VerifyWebhook.verify(body, headers, secret, ${timestamp})\`, with \`body\` as bytes |`,
    `| PHP | \`verifyWebhook($body, $headers, $secret, ${timestamp})\` |`,
  ].join('\n');
}

/** Every error code, and what to do about it. */
function errorCodeTable(): string {
  return table(
    ['Code', 'HTTP', 'Meaning', 'What to do'],
    errorCodes.map((name) => [code(name), errorCatalogue[name].http, errorCatalogue[name].message, remedies[name]]),
  );
}

/** `consumer action` of every code, for operators who read dead letters. */
function consumerActionTable(): string {
  const actions = [...new Set(Object.values(consumerActionOf))];
  return table(
    ['Codes', 'What the consumer does'],
    actions.map((action) => [
      errorCodes
        .filter((name) => consumerActionOf[name] === action)
        .map(code)
        .join(' '),
      code(action),
    ]),
  );
}

/** What carriers may call a status, for operators who put an adapter in front of one. */
function carrierWordTable() {
  return table(
    ['`admin_status`', 'Terminal', 'Words and codes'],
    adminStatuses.map((status) => [code(status), isTerminalAdminStatus(status) ? 'yes' : '', carrierWords[status].map(code).join(', ')]),
  );
}

/** Every metric of the platform's own. */
function metricTable(): string {
  const metrics: readonly MetricDescription[] = metricCatalogue;
  return table(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    metrics.map(({ name, type, labels, help, buckets }) => [
      code(name),
      type,
      labels.map(code).join(', '),
      buckets === undefined ? help : `${help} Buckets: ${buckets.join(', ')}.`,
    ]),
  );
}

/** The alerts of k8s/observability: link to the page, severities, file. */
function alertTable(root: string): string {
  const rows = [...ruleTexts(root)].flatMap(([file, text]) => {
    const alerts = readRules(text).filter(({ kind }) => kind === 'alert');
    return [...new Set(alerts.map(({ name }) => name))].map((name) => {
      const severities = alerts.filter((rule) => rule.name === name).map(({ labels }) => labels['severity']);
      return [`[${name}](${name}.md)`, [...new Set(severities)].join(', '), code(`rules/${file}`)];
    });
  });
  return table(['Alert', 'Severity', 'Rule'], rows);
}

const examples = (byName: Readonly<Record<string, unknown>>, title: (name: string) => string) =>
  Object.entries(byName)
    .map(([name, value]) => `${title(name)}\n\n${json(value)}`)
    .join('\n\n');

const statusNumbers = () =>
  Object.entries(forecastStatuses)
    .map(([name, value]) => `${value} ${code(name)}`)
    .join(', ');

/** The body of a response of success. */
const ofResponse = (data: unknown) => ({ code: '0', message: 'success', data });

const withoutKinds = (name: string) => name.replace(/^warehouse\./, '');

/** The example of a route. @throws Error when it has none */
function exampleOf(id: string) {
  const example = routeExamples[id];
  if (example === undefined) throw new Error(`packages/contracts has no example of ${id}`);
  return example;
}

/** A file of docs/examples as a block of code. Tests run the file, so what is shown works. */
const example = (file: string, language: string) => (root: string) =>
  `\`\`\`${language}\n${readFileSync(join(root, 'docs/examples', file), 'utf8').trimEnd()}\n\`\`\``;

/** Name → text, for the checkout at `root`. */
const renderers: Readonly<Record<string, (root: string) => string | Promise<string>>> = {
  'error-codes': errorCodeTable,
  'stored-data': storedDataTable,
  'consumer-actions': consumerActionTable,
  'tenant-repeats': () => repeatTable((route) => !isWarehouse(route)),
  'warehouse-repeats': () => repeatTable(isWarehouse),
  'tenant-routes': () => routeTable((route) => !isWarehouse(route) && !isWebhook(route)),
  'webhook-routes': () => routeTable(isWebhook),
  'warehouse-routes': () => routeTable(isWarehouse),
  'forecast-fields': () => fieldTable(ForecastSubmission as JsonSchema, { also: { shipping_label: 'type 2', shipping_note: 'type 2' } }),
  'item-fields': () => fieldTable(ForecastItem as JsonSchema),
  limits: () => limitTable((route) => !isWarehouse(route)),
  'submission-example': () => json(exampleOf('submitForecast').requests.directMail),
  'acceptance-example': () => json(ofResponse(exampleOf('submitForecast').data)),
  'weighing-example': () => json(exampleOf('queryWeighing').data),
  'carrier-words': carrierWordTable,
  'tracking-example': () => json(exampleOf('queryTracking').data),
  'detection-example': () => json(exampleOf('detectCarriers').data),
  'status-numbers': statusNumbers,
  'warehouse-statuses': statusNumbers,
  'webhook-examples': () => examples({ ...webhookExamples }, (name) => `**${code(name)}**`),
  'signature-vector': signatureVector,
  'verify-node-sdk': example('verify/node-sdk.mjs', 'js'),
  'verify-node': example('verify/node.mjs', 'js'),
  'receiver-python': example('receiver.py', 'python'),
  'verify-python-client': example('verify/python_client.py', 'python'),
  'verify-python': example('verify/verify_webhook.py', 'python'),
  'verify-go': example('verify/verify_webhook.go', 'go'),
  'verify-java': example('verify/VerifyWebhook.java', 'java'),
  'verify-php': example('verify/verify-webhook.php', 'php'),
  'sdk-methods': sdkMethodTable,
  'python-methods': pythonMethodTable,
  'warehouse-common-fields': commonEventTable,
  'warehouse-fields': warehouseEventTable,
  'photo-example': () => json(ofResponse(exampleOf('uploadPhoto').data)),
  'warehouse-examples': () => examples(warehouseEventExamples, (name) => `**${code(withoutKinds(name))}**`),
  'events-and-topics': eventTable,
  'admin-routes': adminRouteTable,
  parcelctl: async () => table(['Command', 'Does', 'Options'], await commandRows()),
  metrics: metricTable,
  alerts: alertTable,
  failpoints: () => failpointNames.map((name) => `- ${code(name)}`).join('\n'),
};

/** Names of all generated parts. */
export const partNames: readonly string[] = Object.keys(renderers);

const MARKED = /<!-- generated: ([a-z-]+) -->\n[\s\S]*?<!-- end: \1 -->/g;

/** Names of the parts that a document has. */
export function partsIn(markdown: string): string[] {
  return [...markdown.matchAll(MARKED)].map(([, name = '']) => name);
}

/** The document with its generated parts made again. @throws Error for a name that nothing makes */
export async function withParts(markdown: string, root: string): Promise<string> {
  const made = new Map<string, string>();
  for (const name of partsIn(markdown)) {
    const render = renderers[name];
    if (!render) throw new Error(`Nothing makes the part "${name}"; there are ${partNames.join(', ')}`);
    made.set(name, await render(root));
  }
  return markdown.replaceAll(MARKED, (_whole, name: string) => `<!-- generated: ${name} -->\n\n${made.get(name)}\n\n<!-- end: ${name} -->`);
}

/** Every Markdown file of the documentation, as paths from the root, and the page of the client for Python. */
export function documents(root: string): string[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'clients/python/README.md', ...inDocs.sort()];
}
