import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useStage } from '../../use-stage.ts';

/* What the console costs somebody who opens it. */

/** Bytes of compressed script that the page may load. */
const MAX_SCRIPT = 200_000;

const stage = useStage();

test('the page loads one script, which is small', async () => {
  const client = stage.platform.client(null);
  const scripts = [...(await client.call('/console')).text.matchAll(/<script [^>]*src="([^"]+)"/g)];
  expect(scripts).toHaveLength(1);
  const { text } = await client.call(new URL(String(scripts[0]?.[1]), 'https://x/').pathname);
  expect(gzipSync(text).length).toBeLessThan(MAX_SCRIPT);
});
