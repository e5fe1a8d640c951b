import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useStage } from '../../use-stage.ts';

/* What the console costs somebody who opens it. */

/** Bytes of compressed script that the page may load, in all. */
const MAX_SCRIPT = 200_000;

const stage = useStage();

test('the page loads little script', async () => {
  const client = stage.platform.client(null);
  const { text } = await client.call('/console');
  const scripts = [...text.matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, script = '']) => new URL(script, 'https://x/').pathname);
  expect(scripts).toHaveLength(1);
  const sizes = await Promise.all(scripts.map(async (script) => gzipSync((await client.call(script)).text).length));
  // A script that loads others would cost more than this counts.
  expect((await client.call(String(scripts[0]))).text).not.toMatch(/\bimport\(/);
  expect(Math.max(...sizes)).toBeLessThan(MAX_SCRIPT);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
});
