import { javascript, literal } from './literal.ts';
import type { SampleRequest } from './sample-request.ts';

function headersOf({ needsKey, json }: SampleRequest): string[] {
  const headers = [
    ...(needsKey ? ["'X-Api-Key': process.env.PARCELWAY_API_KEY"] : []),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  return headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`];
}

/** A request as a module of Node 20 or newer, without a library. */
export function nodeSample(request: SampleRequest): string {
  const { method, url, json, upload, download } = request;
  const used = [...(upload === undefined ? [] : ['readFile']), ...(download === undefined ? [] : ['writeFile'])];
  const imports = used.length === 0 ? [] : [`import { ${used.join(', ')} } from 'node:fs/promises';`, ''];
  const form =
    upload === undefined
      ? []
      : [
          'const form = new FormData();',
          `form.set('file', new File([await readFile('${upload.name}')], '${upload.name}', { type: '${upload.type}' }));`,
          '',
        ];
  const call = [
    `const response = await fetch('${url}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...headersOf(request),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${literal(json, javascript, 2)}),`]),
    ...(upload === undefined ? [] : ['  body: form,']),
    '  signal: AbortSignal.timeout(30_000),',
    '});',
  ];
  const end =
    download === undefined
      ? [
          'const { code, message, data } = await response.json();',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has the template
          "if (code !== '0') throw new Error(`${code}: ${message}`);",
          'console.log(data);',
        ]
      : [
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has the template
          'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
          `await writeFile('${download}', new Uint8Array(await response.arrayBuffer()));`,
        ];
  return [...imports, ...form, ...call, ...end].join('\n');
}
