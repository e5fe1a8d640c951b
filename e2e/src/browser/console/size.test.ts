import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { useStage } from '../../use-stage.ts';

/* What the console costs somebody who opens it. */

/** Bytes of compressed script that the page may load, in all. */
const MAX_SCRIPT = 200_000;

const stage = useStage();

/** Names of the scripts that a script loads, at once or later: they lie beside it. */
const loadedBy = (script: string): string[] => [...script.matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)].map(([, name = '']) => name);

test('the page loads little script, and what few look at only when they do', async () => {
  const client = stage.platform.client(null);
  const { text } = await client.call('/console');
  const scripts = [...text.matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, script = '']) => new URL(script, 'https://x/').pathname);
  expect(scripts).toHaveLength(1);
  const first = String(scripts[0]);
  const sizes = new Map<string, number>();
  const left = [first];
  for (let script = left.pop(); script !== undefined; script = left.pop()) {
    if (sizes.has(script)) continue;
    const content = (await client.call(script)).text;
    sizes.set(script, gzipSync(content).length);
    left.push(...loadedBy(content).map((name) => new URL(name, `https://x${script}`).pathname));
  }
  expect([...sizes.keys()]).toEqual([first, expect.stringContaining('/activity-view-')]);
  expect(Math.min(...sizes.values())).toBeGreaterThan(0);
  expect([...sizes.values()].reduce((sum, size) => sum + size)).toBeLessThan(MAX_SCRIPT);
});
