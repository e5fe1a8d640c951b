import type { SampleRequest } from './sample-request.ts';

/** Name of the class of a sample. */
export const javaClass = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** A text block, with its lines at the margin. */
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

/** What comes before the request of an upload. */
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

function requestOf(request: SampleRequest): string[] {
  const { method, url, needsKey, json, upload } = request;
  const call = method === 'GET' ? [] : [`    .method("${method}", ${publisherOf(request)})`];
  return [
    `var request = HttpRequest.newBuilder(URI.create("${url}"))`,
    '    .timeout(Duration.ofSeconds(30))',
    ...(needsKey ? ['    .header("X-Api-Key", System.getenv("PARCELWAY_API_KEY"))'] : []),
    ...(json === undefined ? [] : ['    .header("Content-Type", "application/json")']),
    ...(upload === undefined ? [] : ['    .header("Content-Type", "multipart/form-data; boundary=" + boundary)']),
    ...call,
    '    .build();',
  ];
}

/** A request as a program of Java 17 or newer, with the standard library alone. */
export function javaSample(request: SampleRequest): string {
  const { method, download } = request;
  const handler = download === undefined ? 'BodyHandlers.ofString()' : `BodyHandlers.ofFile(Path.of("${download}"))`;
  const usesPath = request.upload !== undefined || download !== undefined;
  const lines = [
    ...formOf(request),
    ...requestOf(request),
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
