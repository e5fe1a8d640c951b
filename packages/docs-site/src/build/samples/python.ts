import { literal, python } from './literal.ts';
import type { SampleRequest } from './sample-request.ts';

/** A request as a program of Python 3.9 or newer, with the library `requests`. */
export function pythonSample(request: SampleRequest): string {
  const { method, url, needsKey, json, upload, download } = request;
  const inner = upload === undefined ? '' : '    ';
  const call = [
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
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
  const imports = ['# Needs the package requests: pip install requests', ...(needsKey ? ['import os', ''] : []), 'import requests', ''];
  return [...imports, ...open, ...call, ...end].join('\n');
}
