import type { SampleRequest } from './sample-request.ts';

const CHECK = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** A raw string; a backtick, which ends it, is added as a separate string. */
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
export function goSample(request: SampleRequest, address: string): string {
  const { method, needsKey, download } = request;
  const body = bodyOf(request);
  const lines = [
    ...body.lines,
    `request, err := http.NewRequest("${method}", ${address}, ${body.name})`,
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

export const javaClass = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

function textBlock(text: string, margin: string): string {
  const content = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  return `"""\n${content
    .split('\n')
    .map((line) => `${margin}${line}`)
    .join('\n')}\n${margin}"""`;
}

function publisherOf({ json, upload }: SampleRequest): string {
  if (json !== undefined) return `BodyPublishers.ofString(${textBlock(JSON.stringify(json, null, 2), ' '.repeat(16))})`;
  return upload === undefined ? 'BodyPublishers.noBody()' : 'form';
}

function formOf({ upload }: SampleRequest): string[] {
  if (upload === undefined) return [];
  return [
    'var boundary = "parcelway-" + System.nanoTime();',
    'var head = "--" + boundary + "\\r\\n"',
    `    + "Content-Disposition: form-data; name=\\"file\\"; filename=\\"${upload.name}\\"\\r\\n"`,
    `    + "Content-Type: ${upload.type}\\r\\n\\r\\n";`,
    'var form = BodyPublishers.concat(',
    '    BodyPublishers.ofString(head),',
    `    BodyPublishers.ofFile(Path.of("${upload.name}")),`,
    '    BodyPublishers.ofString("\\r\\n--" + boundary + "--\\r\\n"));',
  ];
}

function requestOf(request: SampleRequest, address: string): string[] {
  const { method, needsKey, json, upload } = request;
  const call = method === 'GET' ? [] : [`    .method("${method}", ${publisherOf(request)})`];
  return [
    `var request = HttpRequest.newBuilder(URI.create(${address}))`,
    '    .timeout(Duration.ofSeconds(30))',
    ...(needsKey ? ['    .header("X-Api-Key", System.getenv("PARCELWAY_API_KEY"))'] : []),
    ...(json === undefined ? [] : ['    .header("Content-Type", "application/json")']),
    ...(upload === undefined ? [] : ['    .header("Content-Type", "multipart/form-data; boundary=" + boundary)']),
    ...call,
    '    .build();',
  ];
}

/** A request as a program of Java 17 or newer, with the standard library alone. */
export function javaSample(request: SampleRequest, address: string): string {
  const { method, download } = request;
  const handler = download === undefined ? 'BodyHandlers.ofString()' : `BodyHandlers.ofFile(Path.of("${download}"))`;
  const usesPath = request.upload !== undefined || download !== undefined;
  const lines = [
    ...formOf(request),
    ...requestOf(request, address),
    `var response = HttpClient.newHttpClient().send(request, ${handler});`,
    'if (response.statusCode() >= 300) throw new IllegalStateException(response.statusCode() + ": " + response.body());',
    'System.out.println(response.body());',
  ];
  return [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    ...(method === 'GET' ? [] : ['import java.net.http.HttpRequest.BodyPublishers;']),
    'import java.net.http.HttpResponse.BodyHandlers;',
    ...(usesPath ? ['import java.nio.file.Path;'] : []),
    'import java.time.Duration;',
    '',
    `public class ${javaClass(request.id)} {`,
    '    public static void main(String[] args) throws Exception {',
    ...lines.map((line) => `        ${line}`),
    '    }',
    '}',
  ].join('\n');
}
