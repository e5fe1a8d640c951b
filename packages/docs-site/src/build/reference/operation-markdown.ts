import { sampleFences } from '../html.ts';
import { sampleRequest } from '../samples/sample-request.ts';
import { samplesOf } from '../samples/samples.ts';
import type { Field } from './fields.ts';
import type { Operation, Parameter } from './operation.ts';

/** Deeper, the page in HTML is easier to read; a reader of text has the OpenAPI document. */
const MAX_DEPTH = 5;

function fieldLines(fields: readonly Field[], marks: boolean, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  const margin = '  '.repeat(depth);
  return fields.flatMap((field) => {
    const head = `${margin}- \`${field.name}\` (${field.type}${marks && field.isRequired ? ', required' : ''}${field.isDeprecated ? ', deprecated' : ''})`;
    const words = [field.description, field.rule].filter(Boolean).join('; ');
    return [
      words === '' ? head : `${head}: ${words}`,
      ...fieldLines(field.children, marks, depth + 1),
      ...field.variants.flatMap((variant) => [`${margin}  - ${variant.title}`, ...fieldLines(variant.fields, marks, depth + 2)]),
    ];
  });
}

/** Fields of a body in Markdown. @param marks whether required fields are marked */
export const bodyLines = ({ children, variants }: Pick<Field, 'children' | 'variants'>, marks: boolean): string =>
  [...fieldLines(children, marks), ...variants.flatMap(({ title, fields }) => [`- ${title}`, ...fieldLines(fields, marks, 1)])].join('\n');

const parameterLine = ({ name, place, isRequired, description, rule, example }: Parameter): string => {
  const words = [description, rule, example === undefined ? '' : `such as \`${example}\``].filter(Boolean).join('; ');
  return `- \`${name}\` (${place}${isRequired ? ', required' : ''})${words === '' ? '' : `: ${words}`}`;
};

function requestPart({ parameters, body }: Operation): string[] {
  const parts = parameters.length === 0 ? [] : ['### Parameters', parameters.map(parameterLine).join('\n')];
  if (body === undefined) return parts;
  if (body.isUpload)
    return [...parts, '### Body', 'A form, `multipart/form-data`, with the file in the field `file`.', bodyLines(body, true)];
  return [...parts, '### Body', ...(body.isOptional ? ['The body may be left out.'] : []), bodyLines(body, true)];
}

function responsePart({ data, route, responseExample }: Operation): string[] {
  if (data === undefined) return ['### Response', `${route.success}, with the file.`];
  const example = `\`\`\`json\n${JSON.stringify(responseExample, null, 2)}\n\`\`\``;
  return ['### Response', `${route.success}, with these fields in \`data\`:`, bodyLines(data, false), example];
}

export function operationMarkdown(operation: Operation): string {
  const { route, access, clients, deprecation, failures } = operation;
  const rate = route.access === 'public' ? '' : ` Rate class: ${route.rateClass}.`;
  return [
    `## ${route.summary}`,
    `\`${route.method} ${route.path}\``,
    ...(route.description === undefined ? [] : [route.description]),
    `${access}${rate}${route.sandboxOnly ? ' Sandbox only.' : ''}`,
    ...(route.repeat === undefined ? [] : [`Sent again: ${route.repeat}`]),
    ...(clients.length === 0 ? [] : [`Clients: ${clients.map(({ client, call }) => `${client} \`${call}\``).join(', ')}.`]),
    ...(deprecation === undefined ? [] : [deprecation]),
    ...requestPart(operation),
    '### Samples',
    sampleFences(samplesOf(sampleRequest(route), true)),
    ...responsePart(operation),
    '### Errors',
    failures.map(({ code, status, cause, remedy }) => `- \`${code}\` (${status}): ${cause}. ${remedy}`).join('\n'),
  ].join('\n\n');
}
