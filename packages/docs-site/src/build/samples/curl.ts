import type { SampleRequest } from './sample-request.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a command of curl, for bash and zsh. */
export function curlSample(request: SampleRequest): string {
  const { method, url, needsKey, json, upload, download } = request;
  // curl chooses GET by itself, and POST as soon as there is a body.
  const implied = json !== undefined || upload !== undefined ? 'POST' : 'GET';
  const options = [
    ...(method === implied ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "X-Api-Key: $PARCELWAY_API_KEY"'] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...(upload === undefined ? [] : [`-F 'file=@${upload.name};type=${upload.type}'`]),
    ...(download === undefined ? [] : [`--fail -o ${download}`]),
  ];
  return [`curl ${quoted(url)}`, ...options].join(' \\\n  ');
}
