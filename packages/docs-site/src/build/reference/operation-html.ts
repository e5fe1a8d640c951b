import { codeBlock, escaped, inline, paragraphs, sampleTabs } from '../html.ts';
import type { Field } from './fields.ts';
import type { ClientCall, Failure, Operation, Parameter } from './operation.ts';

function parameterField({ anchor }: Operation, { name, place, isRequired, filledIn, example }: Parameter): string {
  const id = `${anchor}-${place}-${name.toLowerCase()}`;
  const required = isRequired ? ' required' : '';
  const placeholder = example === undefined || filledIn !== '' ? '' : ` placeholder="${escaped(example)}"`;
  return `<div class="field"><label for="${id}"><code>${escaped(name)}</code></label><input id="${id}" data-place="${place}" data-name="${escaped(name)}" value="${escaped(filledIn)}" autocomplete="off" spellcheck="false"${placeholder}${required}></div>`;
}

function bodyField({ anchor, body }: Operation): string {
  if (body === undefined) return '';
  const id = `${anchor}-body`;
  if (body.isUpload) return `<div class="field"><label for="${id}">File</label><input id="${id}" type="file" data-file required></div>`;
  const text = body.examples[0] === undefined ? '' : JSON.stringify(body.examples[0].value, null, 2);
  const rows = Math.min(14, text.split('\n').length + 1);
  return `<div class="field"><label for="${id}">Body</label><textarea id="${id}" data-body rows="${rows}" spellcheck="false">${escaped(text)}</textarea></div>`;
}

function keyField({ anchor, route }: Operation): string {
  if (route.access === 'public') return '';
  const id = `${anchor}-key`;
  const of = route.access === 'tenant' ? 'tenant.api_key' : 'warehouse.api_key';
  return `<div class="field"><label for="${id}" data-zh="API 密钥">API key</label><input id="${id}" type="password" data-key="${route.access}" autocomplete="off" spellcheck="false" required aria-describedby="${id}-hint"><p class="hint" id="${id}-hint">In the sandbox: <code>${of}</code> in <code>quickstart.json</code>, in the data directory of the platform (<code>.data</code>). This page keeps a key in memory only.</p></div>`;
}

/** The form that sends the request of a route. The script of the site shows it and sends it; without script there is none. */
export function tryForm(operation: Operation): string {
  const { anchor, route, parameters } = operation;
  const fields = [
    keyField(operation),
    ...parameters.filter(({ name }) => name !== 'Idempotency-Key').map((each) => parameterField(operation, each)),
    bodyField(operation),
  ].filter((field) => field !== '');
  return `<details class="try" data-try hidden>
<summary data-zh="试一试">Try it</summary>
<form data-method="${route.method}" data-path="${escaped(route.path)}" aria-label="Try it: ${escaped(route.summary)}">
${fields.join('\n')}
<p class="production" data-production hidden>This key is of production: the request is real.</p>
<button type="submit" class="primary" data-zh="发送">Send</button>
<div class="outcome" id="${anchor}-outcome" data-outcome role="status"></div>
</form>
</details>`;
}

const ended = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
const capital = (text: string): string => (text.startsWith('`') ? text : text.charAt(0).toUpperCase() + text.slice(1));

export const endpoint = (method: string, path: string): string =>
  `<span class="method method-${method.toLowerCase()}">${method}</span> <code class="path">${escaped(path)}</code>`;

function fieldHead(
  { name, type, isRequired, isDeprecated }: Pick<Field, 'name' | 'type' | 'isRequired' | 'isDeprecated'>,
  marks: boolean,
): string {
  const required = marks && isRequired ? ' <span class="required">required</span>' : '';
  const deprecated = isDeprecated ? ' <span class="deprecated">deprecated</span>' : '';
  return `<code class="field-name">${escaped(name)}</code> <span class="field-type">${escaped(type)}</span>${required}${deprecated}`;
}

const ruleLine = (rule: string): string => (rule === '' ? '' : `<p class="rule">${inline(ended(capital(rule)))}</p>`);

/** Fields as a list; those of an object inside it open at a click. @param marks whether required fields are marked */
export function fieldList(fields: readonly Field[], marks: boolean): string {
  const items = fields.map((field) => {
    const words = field.description === '' ? '' : `<p>${inline(ended(field.description))}</p>`;
    return `<li>${fieldHead(field, marks)}${words}${ruleLine(field.rule)}${below(field, marks, field.name)}</li>`;
  });
  return `<ul class="fields">\n${items.join('\n')}\n</ul>`;
}

function below({ children, variants }: Pick<Field, 'children' | 'variants'>, marks: boolean, name: string): string {
  const inside = children.length === 0 ? '' : details(`Fields of ${name}`, fieldList(children, marks));
  return inside + variants.map(({ title, fields }) => details(title, fieldList(fields, marks))).join('');
}

const details = (summary: string, content: string): string => `<details><summary>${escaped(summary)}</summary>\n${content}\n</details>`;

export function bodyFields({ children, variants }: Pick<Field, 'children' | 'variants'>, marks: boolean): string {
  const own = children.length === 0 ? '' : fieldList(children, marks);
  return own + variants.map(({ title, fields }) => details(title, fieldList(fields, marks))).join('\n');
}

function parameterList(title: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const items = parameters.map((parameter) => {
    const { description, example, rule } = parameter;
    const words = [description === '' ? '' : ended(description), example === undefined ? '' : `Such as \`${example}\`.`].filter(Boolean);
    return `<li>${fieldHead(parameter, true)}<p>${inline(words.join(' '))}</p>${ruleLine(rule)}</li>`;
  });
  return `<h3>${title}</h3>\n<ul class="fields">\n${items.join('\n')}\n</ul>\n`;
}

function failureTable(failures: readonly Failure[]): string {
  const rows = failures.map(
    ({ code, status, cause, remedy }) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${inline(cause)}</td><td>${inline(remedy)}</td></tr>`,
  );
  return `<div class="table-frame" role="group" aria-label="Errors" tabindex="0"><table><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Cause</th><th scope="col">What to do</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>\n`;
}

const clientCall = ({ client, call, guide }: ClientCall, root: string): string =>
  `<a href="${root}${guide}">${client}</a> <code>${escaped(call)}</code>`;

function facts({ access, route, deprecation, clients }: Operation, root: string): string {
  const guide = (topic: string, text: string): string => `<a href="${root}docs/guides/merchants/${topic}">${text}</a>`;
  const rows = [
    ['Key', inline(access)],
    ...(route.access === 'public' ? [] : [['Rate class', guide('rate-limits', route.rateClass)]]),
    ...(route.repeat === undefined ? [] : [['Sent again', inline(route.repeat)]]),
    ...(route.idempotencyKey
      ? [['Idempotency', `Takes the header <code>Idempotency-Key</code>: ${guide('repeating-a-call', 'repeating a call')}.`]]
      : []),
    ...(clients.length === 0 ? [] : [['Clients', clients.map((each) => clientCall(each, root)).join(', ')]]),
    ...(route.sandboxOnly ? [['Environment', 'Sandbox only: the route does not exist in production.']] : []),
    ...(deprecation === undefined ? [] : [['Deprecated', escaped(deprecation)]]),
  ];
  return `<dl class="facts">\n${rows.map(([name, words]) => `<div><dt>${name}</dt><dd>${words}</dd></div>`).join('\n')}\n</dl>\n`;
}

function bodySection({ body }: Operation): string {
  if (body === undefined) return '';
  if (body.isUpload) return `<h3>Body</h3>\n<p>A form, <code>multipart/form-data</code>.</p>\n${bodyFields(body, true)}\n`;
  const optional = body.isOptional ? '<p>The body may be left out.</p>\n' : '';
  const further = body.examples
    .map(({ name, value, needs }) => {
      const before = needs === undefined ? '' : `<p>${inline(ended(needs))}</p>\n`;
      return details(`Example: ${name}`, before + codeBlock(JSON.stringify(value, null, 2), 'json', `Example ${name}`));
    })
    .join('\n');
  return `<h3>Body</h3>\n${optional}${bodyFields(body, true)}\n${further}\n`;
}

function responseSection({ data, route }: Operation): string {
  const etag = route.etag ? '<p>The header <code>ETag</code> holds the version.</p>\n' : '';
  if (data === undefined)
    return `<h3>Response</h3>\n<p>${route.success}, with the file. With the header <code>Range</code> 206, with a part of it.</p>\n`;
  return `<h3>Response</h3>\n<p>${route.success}, with these fields in <code>data</code>.</p>\n${etag}${bodyFields(data, false)}\n`;
}

function failureSection({ failures }: Operation): string {
  const own = failures.filter(({ isCommon }) => !isCommon);
  const common = failures.filter(({ isCommon }) => isCommon);
  const table = own.length === 0 ? '' : failureTable(own);
  return `<h3>Errors</h3>\n${table}${details('Errors that every route may have', failureTable(common))}\n`;
}

/** A route as a section of a page. @param root the way to the root of the platform @param markdownHref the page in Markdown */
export function operationHtml(operation: Operation, root: string, markdownHref: string): string {
  const { anchor, route, parameters, samples, responseExample } = operation;
  const inPlace = (place: Parameter['place']): Parameter[] => parameters.filter((each) => each.place === place);
  const response =
    responseExample === undefined
      ? ''
      : `<p class="code-title">Response</p>\n${codeBlock(JSON.stringify(responseExample, null, 2), 'json', `Response of ${route.summary}`)}`;
  return `<section class="operation" id="${anchor}" aria-labelledby="${anchor}-title">
<div class="operation-text">
<h2 id="${anchor}-title">${escaped(route.summary)} <a class="anchor" href="#${anchor}" aria-label="Link to ${escaped(route.summary)}">#</a></h2>
<p class="endpoint">${endpoint(route.method, route.path)}</p>
${route.description === undefined ? '' : paragraphs(route.description)}
${facts(operation, root)}${parameterList('Path', inPlace('path'))}${parameterList('Query', inPlace('query'))}${parameterList('Headers', inPlace('header'))}${bodySection(operation)}${responseSection(operation)}${failureSection(operation)}</div>
<div class="operation-code">
${sampleTabs(samples, route.summary, markdownHref)}
${response}
${tryForm(operation)}
</div>
</section>
`;
}
