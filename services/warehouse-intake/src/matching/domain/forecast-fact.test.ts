import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, NOW } from '../../testing/samples.ts';
import { acceptedEntry, cancelledEntry, type DirectoryEntry } from './directory.ts';
import { changeOf, type ForecastFact, forecastNoOf, independentFacts } from './forecast-fact.ts';

const accepted = (forecastNo: string, ...trackingNumbers: string[]): ForecastFact => ({
  kind: 'accepted',
  forecast: acceptedForecast({ forecastNo, trackingNumbers }),
});
const cancelled = (forecastNo: string): ForecastFact => ({ kind: 'cancelled', forecastNo, at: NOW });
const nobody = () => undefined;

test('a fact changes the entry of its forecast', () => {
  const forecast = acceptedForecast({ trackingNumbers: ['N1'] });
  const entry = changeOf({ kind: 'accepted', forecast })(undefined);
  expect(entry).toEqual(acceptedEntry(undefined, forecast));
  expect(changeOf({ kind: 'corrected', forecast: { ...forecast, version: 2, trackingNumbers: ['N2'] } })(entry)).toMatchObject({
    version: 2,
    numbers: ['N2'],
  });
  expect(changeOf(cancelled('FC1'))(entry)).toEqual(cancelledEntry(entry, 'FC1', NOW));
});

describe('facts are split into steps', () => {
  const steps = (facts: readonly ForecastFact[], known: (forecastNo: string) => DirectoryEntry | undefined = nobody) =>
    independentFacts(facts, known).map((step) => step.map(forecastNoOf));

  test('one for facts about different forecasts and numbers', () => {
    expect(steps([accepted('FC1', 'N1'), accepted('FC2', 'N2'), cancelled('FC3')])).toEqual([['FC1', 'FC2', 'FC3']]);
  });

  test('a new one where a forecast comes again', () => {
    expect(steps([accepted('FC1', 'N1'), accepted('FC2', 'N2'), cancelled('FC1')])).toEqual([['FC1', 'FC2'], ['FC1']]);
  });

  test('a new one where a number comes again, which the cancellation of its first forecast releases', () => {
    expect(steps([accepted('FC1', 'N1'), accepted('FC2', 'N1')])).toEqual([['FC1'], ['FC2']]);
    const entry = acceptedEntry(undefined, acceptedForecast({ trackingNumbers: ['N1'] }));
    const known = (forecastNo: string) => (forecastNo === 'FC1' ? entry : undefined);
    expect(steps([cancelled('FC1'), accepted('FC2', 'N1')], known)).toEqual([['FC1'], ['FC2']]);
    expect(steps([cancelled('FC1'), accepted('FC2', 'N2')], known)).toEqual([['FC1', 'FC2']]);
  });

  test('a new one where there are too many numbers, none lost and in their order', () => {
    const facts = Array.from({ length: 250 }, (_, index) => accepted(`FC${index}`, `N${index}`));
    const split = steps(facts);
    expect(split.length).toBeGreaterThan(1);
    for (const step of split) expect(step.length).toBeLessThanOrEqual(100);
    expect(split.flat()).toEqual(facts.map(forecastNoOf));
  });
});
