import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../domain/retention.ts';
import { readRetentionConfig } from './retention-config.ts';

const problemsOf = (env: Record<string, string>, environment: 'sandbox' | 'production' = 'sandbox'): string => {
  try {
    readRetentionConfig(env, environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the settings of the retention', () => {
  test('keep everything, and have an archive, unless they are set', () => {
    const nothing = { installation: { forecastMs: undefined, fileMs: undefined }, hasArchive: true, archiveDays: undefined };
    expect(readRetentionConfig({}, 'production')).toEqual(nothing);
    expect(readRetentionConfig({ FORECASTS_KEPT: 'off', FILES_KEPT: '', ARCHIVE_RETENTION_DAYS: 'off' }, 'sandbox')).toEqual(nothing);
  });

  test('are durations and days', () => {
    const env = { FORECASTS_KEPT: '400d', FILES_KEPT: '90d', ARCHIVE: 'off', ARCHIVE_RETENTION_DAYS: '3650' };
    expect(readRetentionConfig(env, 'production')).toEqual({
      installation: { forecastMs: 400 * DAY_MS, fileMs: 90 * DAY_MS },
      hasArchive: false,
      archiveDays: 3650,
    });
    expect(readRetentionConfig({ FORECASTS_KEPT: '2s' }, 'sandbox').installation.forecastMs).toBe(2000);
  });

  test.each([
    [{ FORECASTS_KEPT: '400' }, 'FORECASTS_KEPT must be off, or a duration such as 400d, from 1s to 3650d'],
    [{ FORECASTS_KEPT: '3651d' }, 'FORECASTS_KEPT must be'],
    [{ FILES_KEPT: '500ms' }, 'FILES_KEPT must be'],
    [{ FORECASTS_KEPT: '30d', FILES_KEPT: '31d' }, 'FILES_KEPT must not exceed FORECASTS_KEPT'],
    [{ ARCHIVE: 'yes' }, 'ARCHIVE must be one of on, off'],
    [{ ARCHIVE_RETENTION_DAYS: '0' }, 'ARCHIVE_RETENTION_DAYS must be off, or an integer from 1 to 3650'],
  ])('refuse %p', (env, problem) => expect(problemsOf(env as Record<string, string>)).toContain(problem));

  test('are at least a week in production', () => {
    expect(problemsOf({ FORECASTS_KEPT: '6d' }, 'production')).toContain('from 7d to 3650d');
    expect(problemsOf({ FORECASTS_KEPT: '7d' }, 'production')).toBe('');
  });
});
