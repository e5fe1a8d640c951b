import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the changelog has a place for what is not released yet, and versions of which each is there once', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const versions = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);
  expect(versions[0]).toBe('Unreleased');
  expect(new Set(versions).size).toBe(versions.length);
  for (const [, kind] of changelog.matchAll(/^### (.+)$/gm))
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
});
