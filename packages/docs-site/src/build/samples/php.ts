import { literal, php } from './literal.ts';
import type { SampleRequest } from './sample-request.ts';

/** A request as a program of PHP 8.0 or newer, with its extension curl. */
export function phpSample(request: SampleRequest): string {
  const { method, url, needsKey, json, upload, download } = request;
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
    `$curl = curl_init('${url}');`,
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
