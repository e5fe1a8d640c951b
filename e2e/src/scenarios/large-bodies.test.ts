import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type RawResponse, rawRequest } from '@parcelway/harness/raw-request';
import { useSharedStageWithMerchant } from '../use-stage.ts';

/* Clients that write everything before they read: a refusal reaches them too, instead of a broken connection. */

const MB = 1024 * 1024;

const { stage, merchant } = useSharedStageWithMerchant();

const FORM_HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';

interface Sent {
  readonly path: string;
  readonly key: string;
  readonly size: number;
  readonly chunked?: boolean;
}

function bytesOf({ path, key, size, chunked }: Sent): Buffer {
  const isForm = path.endsWith('/pdf');
  const type = isForm ? 'multipart/form-data; boundary=b' : 'application/json';
  const body = Buffer.alloc(size, ' ');
  if (isForm) body.write(FORM_HEAD);
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`;
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
  if (!chunked) return Buffer.concat([Buffer.from(head), body]);
  return Buffer.concat([Buffer.from(`${head}${size.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}

function send(sent: Sent): Promise<RawResponse> {
  return rawRequest({ ...stage.target, readsLate: true, withinMs: 30_000 }, bytesOf(sent));
}

describe('a body that is refused reaches its end', () => {
  test.each([
    ['a file of 40 MB', '/open/v1/files/pdf', 40, false, '42206'],
    ['a file of 40 MB of unknown length', '/open/v1/files/pdf', 40, true, '42206'],
    ['a file 64 MB too large', '/open/v1/files/pdf', 74, false, '42206'],
    ['JSON of 8 MB', '/open/v1/forecasts', 8, false, '41301'],
    ['JSON of 8 MB of unknown length', '/open/v1/forecasts', 8, true, '41301'],
    ['JSON 64 MB too large', '/open/v1/forecasts', 69, false, '41301'],
    ['JSON of 60 MB for the gateway itself', '/sandbox/v1/simulations', 60, true, '41301'],
  ])(
    '%s',
    async (_what, path, megabytes, chunked, code) => {
      const response = await send({ path, key: merchant.identity.key, size: megabytes * MB, chunked });
      expect([response.status, response.body && (JSON.parse(response.body) as { code: string }).code]).toEqual([
        Number(code.slice(0, 3)),
        code,
      ]);
    },
    60_000,
  );

  test('with a wrong key', async () => {
    const response = await send({ path: '/open/v1/files/pdf', key: 'wrong', size: 40 * MB });
    expect(response.body).toContain('"40003"');
  }, 60_000);
});

function hasRequests(): boolean {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const SCRIPT = `
import os, requests
url, ca, key = os.environ["URL"], os.environ["CA"], os.environ["KEY"]
headers = {"X-Api-Key": key}
upload = requests.post(url + "/open/v1/files/pdf", headers=headers, files={"file": ("a.pdf", b"%PDF-1.4" + b"x" * 40_000_000)}, verify=ca)
json = requests.post(url + "/open/v1/forecasts", headers={**headers, "Content-Type": "application/json"}, data=b" " * 40_000_000, verify=ca)
print(upload.json()["code"], json.json()["code"])
`;

(hasRequests() ? test : test.skip)(
  'the client library requests for Python gets the refusal, too (skipped where it is not installed)',
  async () => {
    const { base_url, ca_file } = stage.platform.quickstart;
    const env = { ...process.env, URL: base_url, CA: ca_file, KEY: merchant.identity.key };
    const { stdout } = await promisify(execFile)('python3', ['-c', SCRIPT], { env });
    expect(stdout.trim()).toBe('42206 41301');
  },
  60_000,
);
