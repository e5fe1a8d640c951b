// The parts of docs/ that are made from the code. Each stands between two markers that name it:
//
//   <!-- generated: error-codes -->
//   …
//   <!-- end: error-codes -->
//
// `npm run docs` writes them; scripts/docs.test.ts fails when one is stale.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { domainEventTypes, topicOf } from '@parcelway/contracts/domain-events';
import { domainEventExamples, warehouseEventExamples } from '@parcelway/contracts/examples';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { routeExamples } from '@parcelway/contracts/route-examples';
import { routes } from '@parcelway/contracts/routes';
import { serviceNames } from '@parcelway/contracts/service-name';
import { patternMessages } from '@parcelway/contracts/text';
import { warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import { warehouseRoundExamples } from '@parcelway/contracts/warehouse-view-examples';
import { webhookExamples } from '@parcelway/contracts/webhook-examples';
import { consumerActionOf, errorCatalogue, errorCodes } from '@parcelway/kernel/error-codes';
import { failpointNames } from '@parcelway/kernel/failpoint';
import { carrierWords } from '@parcelway/service-tracking/carrier-status';
import { commandRows } from './docs-parcelctl.mjs';
import { sdkMethods } from './docs-sdk-methods.mjs';
import { signatureVector } from './docs-signature-vector.mjs';
import { alertRows, burnRows, metricRows, objectiveQueries, objectiveRows } from './observability/docs-observability.mjs';

/** What a merchant or warehouse does about a code. Complete over the catalogue: a code without an entry fails the build. */
const remedies = {
  40001: 'Send JSON that a strict parser accepts: UTF-8, no name twice in an object, nested at most 32 deep.',
  40002: 'Use the https address.',
  40003:
    'Check the key and its environment: `pf_test_` for the sandbox, `pf_live_` for production. Ask for a new one when it was revoked or has expired.',
  40101: 'Send the header `X-Api-Key`.',
  40301: 'Ask for a key with the scope that `message` names.',
  40302: 'Talk to the operator of the platform.',
  40401: 'Check the `po_number`: it is exact and case-sensitive, and belongs to one environment.',
  40402: 'Check method and path. Simulations do not exist in production.',
  40403: 'Check the id in the path.',
  40501: 'Use a method that the header `Allow` names.',
  40901:
    'With `data.header`: the `Idempotency-Key` was used for other content, take another one. Otherwise: `data.fields` names what differs, `data.forecast_no` the forecast that exists. Send the same content, take another `po_number`, or cancel that forecast first.',
  40902:
    'Read the resource; `message` says what stands in the way. With `data.header`: a request with this `Idempotency-Key` is under way; send it again after `Retry-After`.',
  41201:
    '`data.version` is the version that the forecast has. Read it again, see whether your correction still fits, and send it with the new `ETag`.',
  41301: 'Send less in one request. A JSON body may have 5 MB, all headers together 16 kB.',
  41501: 'Send `Content-Type: application/json; charset=utf-8` without `Content-Encoding`, or `multipart/form-data` for an upload.',
  42201: '`data.errors` lists every fault at once; mend them all.',
  42202: '`data.tracking_numbers` names the numbers in use, `data.fields` where you sent them.',
  42203: 'Upload the PDF with a key of the same tenant and environment, and send the `url` exactly as returned.',
  42204: 'Send the PDF in the form field `file`.',
  42205: '`data.errors` says why. Send a PDF named `….pdf` (a warehouse: a JPEG, PNG or WebP).',
  42206: 'Send at most 10,485,760 bytes.',
  42207: 'Send it again after `Retry-After` seconds.',
  42901: 'Wait `Retry-After` seconds.',
  50000: 'Try again once; then report the `X-Request-Id`.',
  50001: 'Try again after `Retry-After` seconds. You are told by webhook when the status changes.',
  50301: 'Send it again after `Retry-After` seconds. A submission may be repeated safely.',
};

const cell = (text) => String(text).replaceAll('|', '\\|');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const code = (text) => `\`${text}\``;

function errorCodeTable() {
  const missing = errorCodes.filter((name) => remedies[name] === undefined);
  if (missing.length > 0) throw new Error(`scripts/docs-parts.mjs says not what to do about ${missing.join(', ')}`);
  return table(
    ['Code', 'HTTP', 'Meaning', 'What to do'],
    errorCodes.map((name) => [code(name), errorCatalogue[name].http, errorCatalogue[name].message, remedies[name]]),
  );
}

/** What carriers may call a status, for operators who put an adapter in front of one. */
function carrierWordTable() {
  return table(
    ['`admin_status`', 'Terminal', 'Words and codes'],
    adminStatuses.map((status) => [code(status), isTerminalAdminStatus(status) ? 'yes' : '', carrierWords[status].map(code).join(', ')]),
  );
}

/** `consumer action` of every code, for operators who read dead letters. */
function consumerActionTable() {
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

/** What a repeat of each changing call does, by itself and with a key. */
function repeatTable(chosen) {
  const changing = routes.filter((route) => chosen(route) && route.method !== 'GET');
  const silent = changing.filter(({ repeat }) => repeat === undefined);
  if (silent.length > 0) throw new Error(`packages/contracts says not what a repeat does of ${silent.map(({ id }) => id).join(', ')}`);
  return table(
    ['Call', 'The same call again', '`Idempotency-Key`'],
    changing.map((route) => [code(`${route.method} ${route.path}`), route.repeat, route.idempotencyKey ? 'yes' : '']),
  );
}

const number = (value) => String(value).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

const FORMATS = {
  date: 'a real date, `YYYY-MM-DD`',
  'https-url': 'https URL',
  'web-url': 'https or http URL',
  'iso-date-time': 'ISO 8601 with offset',
  identifier: 'visible characters at both ends',
  'logistics-number': '',
  'visible-text': 'a visible character',
};

/** A rule of packages/contracts/src/text.ts as a cell of a table: without its "must". */
const shorten = (message) =>
  message
    .replace('must not contain', 'no')
    .replace('must start with', 'starts with')
    .replace(' and contain only', ', then only')
    .replace('must have ', '')
    .replace('must be ', '');

/** Bounds of a length; of the length as sent where the pattern bounds what counts. */
function lengthOf({ minLength = 0, maxLength, pattern = '' }) {
  if (maxLength === undefined) return [];
  if (/\{\d+,\d+\}/.test(pattern)) return [`at most ${number(maxLength)} characters as sent`];
  return [minLength === 0 ? `at most ${number(maxLength)} characters` : `${minLength} to ${number(maxLength)} characters`];
}

function elementsOf({ minItems = 0, maxItems }) {
  if (maxItems === undefined) return [];
  return [minItems === 0 ? `at most ${number(maxItems)} elements` : `${minItems} to ${number(maxItems)} elements`];
}

function membersOf({ maxProperties, propertyNames }) {
  if (maxProperties === undefined) return [];
  return [`at most ${number(maxProperties)} members; names of at most ${number(propertyNames.maxLength)} characters`];
}

/** What a schema allows, in words. */
function ruleOf(schema) {
  const { default: absent, ...rule } = schema;
  return [rulesOf(rule), ...(absent === undefined ? [] : [`default ${code(absent)}`])].filter(Boolean).join('; ');
}

function rulesOf(schema) {
  if (schema.enum) return `one of ${schema.enum.map((value) => code(value === '' ? '""' : value)).join(', ')}`;
  if (schema.const !== undefined) return code(schema.const);
  const parts = [...lengthOf(schema), ...elementsOf(schema), ...membersOf(schema)];
  if (FORMATS[schema.format] !== '' && schema.format) parts.unshift(FORMATS[schema.format] ?? schema.format);
  if (schema.pattern) parts.push(shorten(patternMessages[schema.pattern] ?? schema.pattern));
  const low = schema.minimum ?? schema.exclusiveMinimum;
  if (low !== undefined) parts.push(`${schema.minimum === undefined ? 'more than ' : ''}${number(low)} to ${number(schema.maximum)}`);
  if (schema.multipleOf !== undefined) parts.push(`at most ${Math.round(-Math.log10(schema.multipleOf))} decimals`);
  if (schema.formatMinimum !== undefined) parts.push(`${schema.formatMinimum} to ${schema.formatMaximum}`);
  return parts.join('; ');
}

const typeOf = (schema) => (schema.type === 'object' ? 'object' : (schema.type ?? 'string'));

function fieldTable(schema, { required = schema.required ?? [], also = {} } = {}) {
  return table(
    ['Field', 'Type', 'Required', 'What is allowed', 'Meaning'],
    Object.entries(schema.properties).map(([name, property]) => [
      code(name),
      typeOf(property),
      required.includes(name) ? 'yes' : (also[name] ?? 'no'),
      ruleOf(property),
      property.description ?? '',
    ]),
  );
}

const routeTable = (wanted) =>
  table(
    ['Route', 'Does', 'Scope', 'Rate'],
    routes
      .filter(wanted)
      .map((route) => [
        code(`${route.method} ${route.path}`),
        route.summary,
        route.access === 'public' ? 'no key' : route.scopes.map(code).join(' or ') || `any key of a ${route.access}`,
        route.access === 'public' ? '' : route.rateClass,
      ]),
  );

const withoutKinds = (name) => name.replace(/^warehouse\./, '');

/** Event types that the events adapters of a service have a handler for, or list for a handler of batches. */
function consumedBy(root, service) {
  const folder = join(root, 'services', service, 'src');
  const source = readdirSync(folder, { recursive: true })
    .filter((name) => /(^|\/)adapters\/events\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  return domainEventTypes.filter((type) => new RegExp(`'${type.replace('.', '\\.')}'(\\(|:|,|\\])`).test(source));
}

function eventTable(root) {
  const consumed = Object.fromEntries(serviceNames.map((service) => [service, consumedBy(root, service)]));
  return table(
    ['Event', 'Topic', 'Published by', 'Consumed by', 'Data'],
    domainEventTypes.map((type) => {
      const example = domainEventExamples[type];
      const consumers = serviceNames.filter((service) => consumed[service].includes(type));
      return [
        code(type),
        code(topicOf[type]),
        code(example.source.split('/').at(-1)),
        consumers.map(code).join(', '),
        Object.keys(example.data).map(code).join(', '),
      ];
    }),
  );
}

const examples = (byName, title) =>
  Object.entries(byName)
    .map(([name, value]) => `${title(name)}\n\n${json(value)}`)
    .join('\n\n');

const statusNumbers = () =>
  Object.entries(forecastStatuses)
    .map(([name, value]) => `${value} ${code(name)}`)
    .join(', ');

/** The body of a response of success. */
const ofResponse = (data) => ({ code: '0', message: 'success', data });
const ofResponses = (byName) => Object.fromEntries(Object.entries(byName).map(([name, data]) => [name, ofResponse(data)]));

const anyType = { type: 'string', enum: Object.keys(warehouseEventSchemas), description: 'What happened' };

/** What every event has. */
const commonEventFields = Object.fromEntries(
  Object.entries(warehouseEventSchemas.arrival.properties).filter(([name]) =>
    Object.values(warehouseEventSchemas).every((schema) => name in schema.properties),
  ),
);

/** Fields with those of their elements: name, schema and whether it is required. */
function fieldsWithin(schema, prefix = '') {
  return Object.entries(schema.properties).flatMap(([name, property]) => [
    { name: `${prefix}${name}`, property, required: schema.required?.includes(name) ?? false },
    ...(property.items?.properties ? fieldsWithin(property.items, `${prefix}${name}[].`) : []),
  ]);
}

function warehouseEventTable() {
  const rows = new Map();
  for (const [type, schema] of Object.entries(warehouseEventSchemas)) {
    for (const { name, property, required } of fieldsWithin(schema)) {
      if (name in commonEventFields) continue;
      const rest = [code(name), typeOf(property), required ? 'yes' : 'no', ruleOf(property), property.description ?? ''];
      // One row for a field that several types share.
      const key = rest.join('|');
      rows.set(key, { types: [...(rows.get(key)?.types ?? []), code(type)], rest });
    }
  }
  return table(
    ['Event', 'Field', 'Type', 'Required', 'What is allowed', 'Meaning'],
    [...rows.values()].map(({ types, rest }) => [types.join(', '), ...rest]),
  );
}

const parcelctlRows = await commandRows();

/** A file of docs/examples as a block of code. Tests run the file, so what is shown works. */
const example = (file, language) => (root) =>
  `\`\`\`${language}\n${readFileSync(join(root, 'docs/examples', file), 'utf8').trimEnd()}\n\`\`\``;

function sdkMethodTable(root) {
  const methods = sdkMethods(root);
  const missing = routes.filter(({ id }) => !methods.some((method) => method.route === id));
  if (missing.length > 0) throw new Error(`The SDK has no method for ${missing.map(({ id }) => id).join(', ')}`);
  const rows = methods.map(({ call, route }) => {
    const { method, path, summary } = routes.find(({ id }) => id === route);
    return [code(call), summary, code(`${method} ${path}`)];
  });
  return table(['Method', 'Does', 'Route'], rows);
}

/** Every field below a schema that holds a value of its own, by its path; `*` stands for a name that the caller chooses. */
function leavesOf(schema, path = '') {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.flatMap((branch) => leavesOf(branch, path));
  const own = path === '' || (schema.type === 'object' && schema.maxProperties === undefined) ? [] : [[path, ruleOf(schema)]];
  const below = [
    ...Object.entries(schema.properties ?? {}).map(([name, field]) => [path === '' ? name : `${path}.${name}`, field]),
    ...Object.values(schema.patternProperties ?? {}).map((field) => [`${path}.*`, field]),
    ...(schema.items ? [[`${path}[]`, schema.items]] : []),
  ];
  return [...own, ...below.flatMap(([name, field]) => leavesOf(field, name))];
}

/** Path of each field of a route's body and query → what it may hold; of a union, what each branch allows. */
function rulesOfRoute({ query, body }) {
  const rules = new Map();
  for (const schema of [query, body].filter((each) => each !== undefined && each !== 'multipart')) {
    for (const [path, rule] of leavesOf(schema)) rules.set(path, new Set([...(rules.get(path) ?? []), rule].filter(Boolean)));
  }
  return [...rules].filter(([, allowed]) => allowed.size > 0).map(([path, allowed]) => [path, [...allowed].join('; or ')]);
}

/** What every field of a request may hold; routes that allow the same share a row. */
function limitTable(wanted) {
  const rows = new Map();
  for (const route of routes.filter(wanted)) {
    for (const [path, rule] of rulesOfRoute(route)) {
      const key = JSON.stringify([path, rule]);
      rows.set(key, [...(rows.get(key) ?? []), code(`${route.method} ${route.path}`)]);
    }
  }
  return table(
    ['Field', 'What is allowed', 'Routes'],
    [...rows].map(([key, routesOfRow]) => [code(JSON.parse(key)[0]), JSON.parse(key)[1], routesOfRow.join('<br>')]),
  );
}

const isWarehouse = (route) => route.access === 'warehouse';
const isWebhook = (route) => route.tag === 'Webhook endpoints';

/** Name → text, for the checkout at `root`. */
const renderers = {
  'error-codes': errorCodeTable,
  'consumer-actions': consumerActionTable,
  'tenant-repeats': () => repeatTable((route) => !isWarehouse(route)),
  'warehouse-repeats': () => repeatTable(isWarehouse),
  'tenant-routes': () => routeTable((route) => !isWarehouse(route) && !isWebhook(route)),
  'webhook-routes': () => routeTable(isWebhook),
  'warehouse-routes': () => routeTable(isWarehouse),
  'forecast-fields': () => fieldTable(ForecastSubmission, { also: { shipping_label: 'type 2', shipping_note: 'type 2' } }),
  'item-fields': () => fieldTable(ForecastItem),
  limits: () => limitTable((route) => !isWarehouse(route)),
  'submission-example': () => json(routeExamples.submitForecast.requests.directMail),
  'acceptance-example': () => json(ofResponse(routeExamples.submitForecast.data)),
  'weighing-example': () => json(routeExamples.queryWeighing.data),
  'carrier-words': carrierWordTable,
  'tracking-example': () => json(routeExamples.queryTracking.data),
  'status-numbers': statusNumbers,
  'warehouse-statuses': statusNumbers,
  'webhook-examples': () => examples(webhookExamples, (name) => `**${code(name)}**`),
  'signature-vector': signatureVector,
  'verify-node-sdk': example('verify/node-sdk.mjs', 'js'),
  'verify-node': example('verify/node.mjs', 'js'),
  'verify-python': example('verify/verify_webhook.py', 'python'),
  'verify-go': example('verify/verify_webhook.go', 'go'),
  'verify-php': example('verify/verify-webhook.php', 'php'),
  'sdk-methods': sdkMethodTable,
  'warehouse-common-fields': () =>
    fieldTable(
      { properties: { ...commonEventFields, type: anyType } },
      { required: warehouseEventSchemas.arrival.required, also: { forecast_no: 'one of the two', express_no: 'one of the two' } },
    ),
  'warehouse-fields': warehouseEventTable,
  'warehouse-list-examples': () => examples(ofResponses(warehouseRoundExamples), (title) => `**${title}**`),
  'warehouse-forecast-example': () => json(ofResponse(routeExamples.getWarehouseForecast.data)),
  'warehouse-lookup-example': () => json(ofResponse(routeExamples.lookUpScan.data)),
  'photo-example': () => json(ofResponse(routeExamples.uploadPhoto.data)),
  'warehouse-examples': () => examples(warehouseEventExamples, (name) => `**${code(withoutKinds(name))}**`),
  'events-and-topics': eventTable,
  parcelctl: () => table(['Command', 'Does', 'Options'], parcelctlRows),
  metrics: () => table(['Metric', 'Type', 'Labels', 'Meaning'], metricRows()),
  alerts: (root) => table(['Alert', 'Severity', 'Rule'], alertRows(root)),
  objectives: () => table(['Objective', 'Good is', 'Target', 'May be bad', 'Alert'], objectiveRows()),
  'objective-queries': objectiveQueries,
  'burn-rates': () =>
    table(['Burn rate', 'Long window', 'Short window', 'Bad, at 99.9 %', 'Bad, at 99 %', 'Budget gone in', 'Severity'], burnRows()),
  failpoints: () => failpointNames.map((name) => `- ${code(name)}`).join('\n'),
};

/** Names of all generated parts. */
export const partNames = Object.keys(renderers);

const MARKED = /<!-- generated: ([a-z-]+) -->\n[\s\S]*?<!-- end: \1 -->/g;

/** Names of the parts that a document has. */
export function partsIn(markdown) {
  return [...markdown.matchAll(MARKED)].map((match) => match[1]);
}

/** The document with its generated parts made anew. Throws Error for a name that nothing makes. */
export function withParts(markdown, root) {
  return markdown.replaceAll(MARKED, (_whole, name) => {
    const render = renderers[name];
    if (!render) throw new Error(`Nothing makes the part "${name}"; there are ${partNames.join(', ')}`);
    return `<!-- generated: ${name} -->\n\n${render(root)}\n\n<!-- end: ${name} -->`;
  });
}

/** Every Markdown file of the documentation, as paths from the root. */
export function documents(root) {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...inDocs.sort()];
}
