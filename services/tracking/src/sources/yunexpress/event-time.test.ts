import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { nodeInstant } from '../../domain/node.ts';
import { eventTime } from './event-time.ts';
import { translateYunExpress } from './translation.ts';

const parcel = { trackingNumber: 'YT2630600700100025', dispatchedAt: 0 };

describe('trap 10: the times of the rows of a response', () => {
  const response = JSON.parse(readFileSync(new URL('./fixtures/query-times.json', import.meta.url), 'utf8')) as { result: unknown };
  const trace = translateYunExpress(response.result, parcel);

  test.each([
    ['Both clocks without a zone', '2026-11-01 16:00:00', '(GMT+08:00)', 'given'],
    ['The instant alone', '2026-11-01 10:00:00', '(GMT+00:00)', 'given'],
    ['The clock alone, one zone', '2026-11-02 09:00:00', '(GMT+08:00)', 'derived'],
    ['The clock alone, several zones', '2026-11-05 09:00:00', '(GMT-05:00)', 'assumed'],
    ['Equal clocks in Germany', '2026-11-06 09:00:00', '(GMT+00:00)', 'assumed'],
    ['Clocks a month apart', '2026-11-06 10:00:00', '(GMT+00:00)', 'assumed'],
    ['A clock with its own offset', '2026-11-07 09:00:00', '(GMT+01:00)', 'given'],
  ])('%s', (content, createTime, times, zoneBasis) =>
    expect(trace.nodes.find((node) => node.content === content)).toMatchObject({ createTime, times, zoneBasis }),
  );

  test('rows without a time are kept apart', () => {
    expect(trace.undated.map(({ content }) => content)).toEqual(['No time', 'The year 1']);
    expect(trace.undated[0]).toEqual({ address: 'DE', content: 'No time', status: 'EDD', adminStatus: 'In Transit' });
  });

  test('a time that is none costs its row alone', () => {
    expect(trace.leftOut).toEqual(['A row has a time that is none']);
    expect(trace.nodes).toHaveLength(7);
  });
});

describe('the two clocks of a row', () => {
  test.each([
    ['2026-11-05T13:30:00', '2026-11-05T08:00:00', '(GMT+05:30)'],
    ['2026-11-05T13:45:00', '2026-11-05T08:00:00', '(GMT+05:45)'],
    ['2026-11-04T20:00:00Z', '2026-11-05T08:00:00Z', '(GMT-12:00)'],
    ['2026-11-05T22:00:00.562Z', '2026-11-05T08:00:00.562Z', '(GMT+14:00)'],
    ['2026-11-05T09:00:00', '2026-11-05T09:00:00+01:00', '(GMT+01:00)'],
  ])('%s beside %s is %s', (process_time, process_utc_time, times) => {
    const time = eventTime({ process_time, process_utc_time, process_country: 'CN' });
    if (typeof time === 'string') throw new Error(time);
    expect(time).toMatchObject({ times, zoneBasis: 'given' });
    expect(nodeInstant(time)).toBe(Date.parse('2026-11-05T08:00:00Z'));
  });

  test('the instant counts where the difference is no civil offset', () => {
    for (const process_time of ['2026-11-05T16:07:00', '2026-11-04T19:45:00', '2026-11-05T22:15:00', '2025-11-05T16:00:00'])
      expect(eventTime({ process_time, process_utc_time: '2026-11-05T08:00:00' })).toEqual({
        createTime: '2026-11-05 08:00:00',
        times: '(GMT+00:00)',
        zoneBasis: 'assumed',
      });
  });

  test('equal clocks are right only where the place is known to be at UTC', () => {
    const at = (day: string, process_country: string) => eventTime({ process_time: day, process_utc_time: day, process_country });
    expect(at('2026-11-05T08:00:00Z', 'GB')).toMatchObject({ zoneBasis: 'given' });
    // No place, no country, and one that is at UTC only in part.
    for (const country of ['', 'ZZ', 'United Kingdom', 'PT'])
      expect(at('2026-11-05T08:00:00Z', country)).toEqual({
        createTime: '2026-11-05 08:00:00',
        times: '(GMT+00:00)',
        zoneBasis: 'assumed',
      });
    expect(at('2026-07-05T08:00:00Z', 'GB')).toMatchObject({ zoneBasis: 'assumed' });
  });

  test('where one clock is unreadable, the other one counts', () => {
    expect(eventTime({ process_time: 't1', process_utc_time: '2026-11-05T08:00:00' })).toMatchObject({
      times: '(GMT+00:00)',
      zoneBasis: 'given',
    });
    expect(
      eventTime({ process_time: '2026-11-05T08:00:00', process_utc_time: 5, process_country: 'us', process_province: 'CA' }),
    ).toMatchObject({
      times: '(GMT-08:00)',
      zoneBasis: 'derived',
    });
  });

  test('hostile values are no time', () => {
    expect(eventTime({})).toBe('none');
    expect(eventTime({ process_time: ' ', process_utc_time: null })).toBe('none');
    for (const value of [
      0,
      1794873600000,
      true,
      {},
      [],
      'x'.repeat(100_000),
      '2026-02-30T00:00:00',
      '2026-11-05T24:00:00',
      '99999-01-01T00:00:00Z',
    ])
      expect(eventTime({ process_time: value, process_utc_time: value })).toBe('unreadable');
  });
});
