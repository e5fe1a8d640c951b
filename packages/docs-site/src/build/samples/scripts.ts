import type { SampleRequest } from './sample-request.ts';

export interface LiteralStyle {
  readonly object: readonly [open: string, close: string];
  readonly array: readonly [open: string, close: string];
  readonly emptyObject: string;
  readonly pair: (name: string, value: string) => string;
  readonly string: (text: string) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly indent: number;
}

const words = { true: 'true', false: 'false', null: 'null' };
const singleQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

export const javascript: LiteralStyle = {
  object: ['{', '}'],
  array: ['[', ']'],
  emptyObject: '{}',
  pair: (name, value) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : singleQuoted(name)}: ${value}`,
  string: singleQuoted,
  words,
  indent: 2,
};

export const python: LiteralStyle = {
  object: ['{', '}'],
  array: ['[', ']'],
  emptyObject: '{}',
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  string: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  indent: 4,
};

/** PHP, as PSR-12 formats it. */
export const php: LiteralStyle = {
  object: ['[', ']'],
  array: ['[', ']'],
  emptyObject: 'new stdClass()',
  pair: (name, value) => `${singleQuoted(name)} => ${value}`,
  // Between single quotes PHP knows no \n.
  string: (text) => (text.includes('\n') ? JSON.stringify(text).replaceAll('$', '\\$') : `'${text.replace(/[\\']/g, '\\$&')}'`),
  words,
  indent: 4,
};

/** A JSON value as a literal. @param margin blanks before the line in which it begins */
export function literal(value: unknown, style: LiteralStyle, margin = 0): string {
  if (value === null || typeof value === 'boolean') return style.words[String(value) as keyof typeof words];
  if (typeof value === 'string') return style.string(value);
  if (typeof value !== 'object') return String(value);
  const inner = margin + style.indent;
  const members = Array.isArray(value)
    ? value.map((each) => literal(each, style, inner))
    : Object.entries(value as object).map(([name, each]) => style.pair(name, literal(each, style, inner)));
  if (members.length === 0) return Array.isArray(value) ? style.array.join('') : style.emptyObject;
  const [open, close] = Array.isArray(value) ? style.array : style.object;
  const lines = members.map((member) => `${' '.repeat(inner)}${member},`);
  return `${open}\n${lines.join('\n')}\n${' '.repeat(margin)}${close}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curlSample(request: SampleRequest, address: string): string {
  const { method, needsKey, json, upload, download } = request;
  // curl chooses GET by itself, and POST as soon as there is a body.
  const implied = json !== undefined || upload !== undefined ? 'POST' : 'GET';
  const options = [
    ...(method === implied ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "X-Api-Key: $PARCELWAY_API_KEY"'] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...(upload === undefined ? [] : [`-F 'file=@${upload.name};type=${upload.type}'`]),
    ...(download === undefined ? [] : [`--fail -o ${download}`]),
  ];
  return [`curl ${address}`, ...options].join(' \\\n  ');
}

function nodeHeaders({ needsKey, json }: SampleRequest): string[] {
  const headers = [
    ...(needsKey ? ["'X-Api-Key': process.env.PARCELWAY_API_KEY"] : []),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ];
  return headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`];
}

/** A request as a module of Node 20 or newer, without a library. */
export function nodeSample(request: SampleRequest, address: string): string {
  const { method, json, upload, download } = request;
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
    `const response = await fetch(${address}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...nodeHeaders(request),
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

/** A request as a program of Python 3.9 or newer, with the library `requests`. */
export function pythonSample(request: SampleRequest, address: string): string {
  const { method, needsKey, json, upload, download } = request;
  const inner = upload === undefined ? '' : '    ';
  const call = [
    `response = requests.${method.toLowerCase()}(`,
    `    ${address},`,
    ...(needsKey ? ['    headers={"X-Api-Key": os.environ["PARCELWAY_API_KEY"]},'] : []),
    ...(json === undefined ? [] : [`    json=${literal(json, python, 4)},`]),
    ...(upload === undefined ? [] : [`    files={"file": ("${upload.name}", file, "${upload.type}")},`]),
    '    timeout=30,',
    ')',
  ].map((line) => `${inner}${line}`);
  const open = upload === undefined ? [] : [`with open("${upload.name}", "rb") as file:`];
  const end =
    download === undefined
      ? [
          'result = response.json()',
          'if result["code"] != "0":',
          `    raise RuntimeError(f'{result["code"]}: {result["message"]}')`,
          'print(result["data"])',
        ]
      : ['response.raise_for_status()', `with open("${download}", "wb") as file:`, '    file.write(response.content)'];
  // The one package that a sample needs.
  const imports = [
    '# Needs the package requests: pip install requests',
    ...(needsKey || address.startsWith('os.') ? ['import os', ''] : []),
    'import requests',
    '',
  ];
  return [...imports, ...open, ...call, ...end].join('\n');
}

/** A request as a program of PHP 8.0 or newer, with its extension curl. */
export function phpSample(request: SampleRequest, address: string): string {
  const { method, needsKey, json, upload, download } = request;
  const headers = [
    ...(needsKey ? ["'X-Api-Key: ' . getenv('PARCELWAY_API_KEY')"] : []),
    ...(json === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  const end =
    download === undefined
      ? [
          '$result = json_decode($response, true, 64, JSON_THROW_ON_ERROR);',
          "if ($result['code'] !== '0') {",
          "    throw new RuntimeException($result['code'] . ': ' . $result['message']);",
          '}',
          "print_r($result['data']);",
        ]
      : [`file_put_contents('${download}', $response);`];
  return [
    '<?php',
    `$curl = curl_init(${address});`,
    'curl_setopt_array($curl, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`]),
    ...(json === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(json, php, 4)}, JSON_THROW_ON_ERROR),`]),
    ...(upload === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => ['file' => new CURLFile('${upload.name}', '${upload.type}', '${upload.name}')],`]),
    ...(download === undefined ? [] : ['    CURLOPT_FAILONERROR => true,']),
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_TIMEOUT => 30,',
    ']);',
    '$response = curl_exec($curl);',
    'if ($response === false) {',
    '    throw new RuntimeException(curl_error($curl));',
    '}',
    ...end,
  ].join('\n');
}
