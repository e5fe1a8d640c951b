import type { SampleRequest } from './sample-request.ts';

const CHECK = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** A raw string; a backtick, which ends one, is added as a string of its own. */
const raw = (text: string): string => `\`${text.replaceAll('`', '` + "`" + `')}\``;

function bodyOf({ json, upload }: SampleRequest): { readonly name: string; readonly lines: readonly string[]; readonly type?: string } {
  if (json !== undefined)
    return { name: 'body', lines: [`body := strings.NewReader(${raw(JSON.stringify(json, null, 2))})`], type: '"application/json"' };
  if (upload === undefined) return { name: 'nil', lines: [] };
  return {
    name: 'body',
    type: 'form.FormDataContentType()',
    lines: [
      `content, err := os.ReadFile("${upload.name}")`,
      ...CHECK,
      'body := &bytes.Buffer{}',
      'form := multipart.NewWriter(body)',
      `file, err := form.CreateFormFile("file", "${upload.name}")`,
      ...CHECK,
      'file.Write(content)',
      'form.Close()',
    ],
  };
}

const JSON_END = [
  'var result struct {',
  '\tCode, Message string',
  '\tData          json.RawMessage',
  '}',
  'if err := json.NewDecoder(response.Body).Decode(&result); err != nil {',
  '\tlog.Fatal(err)',
  '}',
  'if result.Code != "0" {',
  '\tlog.Fatalf("%s: %s", result.Code, result.Message)',
  '}',
  'fmt.Println(string(result.Data))',
];

const fileEnd = (name: string): string[] => [
  'if response.StatusCode != 200 {',
  '\tlog.Fatal(response.Status)',
  '}',
  `file, err := os.Create("${name}")`,
  ...CHECK,
  'defer file.Close()',
  'if _, err := io.Copy(file, response.Body); err != nil {',
  '\tlog.Fatal(err)',
  '}',
];

function importsOf({ needsKey, json, upload, download }: SampleRequest): string[] {
  const names = ['log', 'net/http', 'time'];
  if (needsKey || upload || download) names.push('os');
  if (json !== undefined) names.push('strings');
  if (upload) names.push('bytes', 'mime/multipart');
  names.push(...(download ? ['io'] : ['encoding/json', 'fmt']));
  return names.sort().map((name) => `\t"${name}"`);
}

/** A request as a program of Go 1.21 or newer, with the standard library alone. */
export function goSample(request: SampleRequest): string {
  const { method, url, needsKey, download } = request;
  const body = bodyOf(request);
  const lines = [
    ...body.lines,
    `request, err := http.NewRequest("${method}", "${url}", ${body.name})`,
    ...CHECK,
    ...(needsKey ? ['request.Header.Set("X-Api-Key", os.Getenv("PARCELWAY_API_KEY"))'] : []),
    ...(body.type === undefined ? [] : [`request.Header.Set("Content-Type", ${body.type})`]),
    'client := &http.Client{Timeout: 30 * time.Second}',
    'response, err := client.Do(request)',
    ...CHECK,
    'defer response.Body.Close()',
    ...(download === undefined ? JSON_END : fileEnd(download)),
  ];
  // A body of several lines is a raw string: what is inside must not move.
  const program = lines.map((line) => `\t${line}`).join('\n');
  return ['package main', '', 'import (', ...importsOf(request), ')', '', 'func main() {', program, '}'].join('\n');
}
