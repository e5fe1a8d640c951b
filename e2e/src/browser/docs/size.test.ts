import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useDocs } from './use-docs.ts';

/* What a page of the documentation costs a reader. */

/** Bytes of compressed script that a page may load. */
const MAX_SCRIPT = 60_000;
/** Bytes that a page itself may have, compressed. */
const MAX_PAGE = 100_000;

const { stage, paths } = useDocs();

test('every page is small, and loads little script', async () => {
  const client = stage.platform.client(null);
  const scripts = new Set<string>();
  const large: Record<string, number> = {};
  for (const path of await paths()) {
    const { text } = await client.call(path);
    const size = gzipSync(text).length;
    if (size > MAX_PAGE) large[path] = size;
    for (const [, script = ''] of text.matchAll(/<script [^>]*src="([^"]+)"/g)) scripts.add(new URL(script, `https://x${path}`).pathname);
  }
  expect(large).toEqual({});
  expect(scripts.size).toBe(1);
  for (const script of scripts) expect(gzipSync((await client.call(script)).text).length).toBeLessThan(MAX_SCRIPT);
});
