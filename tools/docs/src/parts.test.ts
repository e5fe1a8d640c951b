import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { documents, partNames, partsIn, withParts } from './parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('generated parts of the documentation', () => {
  test.each(documents(root))('%s is as `npm run docs` writes it', async (name) => {
    expect(await withParts(read(name), root)).toBe(read(name));
  });

  test('every part that can be made is in exactly one document', () => {
    const found = documents(root).flatMap((name) => partsIn(read(name)));
    expect(found.sort()).toEqual([...partNames].sort());
  });

  test('a changed part is noticed, an unknown one refused', async () => {
    const stale = '<!-- generated: failpoints -->\n\n- old\n\n<!-- end: failpoints -->';
    expect(await withParts(stale, root)).not.toContain('- old');
    const unknown = withParts('<!-- generated: nothing -->\n<!-- end: nothing -->', root);
    await expect(unknown).rejects.toThrow('Nothing makes the part "nothing"');
  });
});
