import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { releaseNotes } from './changelog-section.mjs';

const changelog = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-12-01

### Added
- Something.

## [1.0.0]

[1.1.0]: https://example.com/1.1.0
`;

describe('the notes of a release', () => {
  test('are the section of its version', () => {
    expect(releaseNotes('v1.1.0', '1.1.0', changelog)).toBe('### Added\n- Something.\n');
  });

  test.each([
    ['v1.1.1', '1.1.0', 'The tag is "v1.1.1", but package.json has version 1.1.0'],
    ['v1.2.0', '1.2.0', 'has no section "## [1.2.0] - yyyy-mm-dd"'],
    ['v1.0.0', '1.0.0', 'gives 1.0.0 no date'],
  ])('are refused for %s of %s', (tag, version, message) => {
    expect(() => releaseNotes(tag, version, changelog)).toThrow(message);
  });

  test('the changelog has a place for what is not released yet, and versions of which each is there once', () => {
    const real = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    const versions = [...real.matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);
    expect(versions[0]).toBe('Unreleased');
    expect(new Set(versions).size).toBe(versions.length);
    for (const [, kind] of real.matchAll(/^### (.+)$/gm))
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
  });
});
