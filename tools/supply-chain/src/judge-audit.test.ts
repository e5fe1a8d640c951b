import { describe, expect, test } from '@jest/globals';
import { judgeAudit } from './judge-audit.ts';

const finding = (name: string, severity: string) => ({
  name,
  severity,
  range: '<2.0.0',
  via: [{ title: 'Reads beyond its buffer', url: 'https://example.com/advisory' }, 'other'],
});
const response = (...findings: object[]) =>
  JSON.stringify({ vulnerabilities: Object.fromEntries(findings.map((each, index) => [index, each])), metadata: {} });

describe('an audit', () => {
  test('passes without findings', () => {
    expect(judgeAudit(response(), 'high')).toEqual({ ok: true, lines: ['0 packages with advisories, 0 of level high or above'] });
  });

  test('fails on a finding of the level or above, and names all, the worst first', () => {
    const { ok, lines } = judgeAudit(response(finding('mild', 'moderate'), finding('bad', 'critical')), 'high');
    expect(ok).toBe(false);
    expect(lines).toEqual([
      'critical  bad <2.0.0: Reads beyond its buffer https://example.com/advisory; by other',
      'moderate  mild <2.0.0: Reads beyond its buffer https://example.com/advisory; by other',
      '2 packages with advisories, 1 of level high or above',
    ]);
  });

  test('passes with findings below the level', () => {
    expect(judgeAudit(response(finding('mild', 'moderate')), 'high').ok).toBe(true);
    expect(judgeAudit(response(finding('mild', 'moderate')), 'moderate').ok).toBe(false);
  });

  test.each([
    [
      'a response that refuses',
      JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '', detail: '' } }),
      ' (405 Method Not Allowed)',
    ],
    ['no response', '', ''],
    ['half a response', '{"vulnerab', ''],
  ])('that cannot be had is skipped, and says so: %s', (_name, output, why) => {
    expect(judgeAudit(output, 'high')).toEqual({ ok: true, lines: [`skipped: the registry does not respond audits${why}`] });
    // Where it must be had, as before a release.
    expect(judgeAudit(output, 'high', true)).toEqual({ ok: false, lines: [`failed: the registry does not respond audits${why}`] });
  });
});
