import { escaped } from '../html.ts';
import type { Operation, Parameter } from './operation.ts';

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
