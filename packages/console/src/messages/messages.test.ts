import { describe, expect, test } from '@jest/globals';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { auditActions, auditOutcomes, auditResources } from '@parcelway/contracts/audited-routes';
import { statusReasons } from '@parcelway/contracts/forecast-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { exceptionReasons, imageTypes } from '@parcelway/contracts/parcel-reports';
import { deliveryStatuses, nextAttemptReasons, replayChoices } from '@parcelway/contracts/webhook-delivery-api';
import { disabledReasons, endpointStatuses } from '@parcelway/contracts/webhook-endpoint-api';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { languageOf } from '@parcelway/page/languages';
import { errorCodes } from '../views/activity/activity-values.ts';
import { en, type Messages } from './en.ts';
import { zh } from './zh.ts';

function flat(words: object, path = ''): Array<readonly [path: string, value: string]> {
  return Object.entries(words).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[at, value] as const];
    return typeof value === 'function' ? [[at, `function of ${value.length}`] as const] : flat(value as object, at);
  });
}

/** English says these as the platform does; every other language has words of its own. */
const OWN_WORDS = 'parcel.adminStatuses';

describe('the two languages', () => {
  test('have words for the same things', () => {
    const pathsOf = (words: Messages) =>
      flat(words)
        .map(([path]) => path)
        .filter((path) => !path.startsWith(OWN_WORDS));
    expect(pathsOf(zh)).toEqual(pathsOf(en));
  });

  test('leave nothing empty', () => {
    expect([...flat(en), ...flat(zh)].filter(([, value]) => value.trim() === '')).toEqual([]);
  });

  test('differ: what reads the same in both is a name or a term', () => {
    const english = new Map(flat(en));
    const same = flat(zh).filter(([path, value]) => english.get(path) === value && !value.startsWith('function'));
    expect(same.map(([, value]) => value)).toEqual(['SKU']);
  });
});

describe.each([
  ['English', en as Messages],
  ['Chinese', zh],
])('%s', (_language, words) => {
  const names = (record: object): string[] => Object.keys(record);
  test('has a word for every value of the API', () => {
    expect(names(words.parcels.statuses)).toEqual(Object.values(forecastStatuses).map(String));
    expect(names(words.parcel.imageTypes)).toEqual([...imageTypes]);
    expect(names(words.findings.exceptions)).toEqual([...exceptionReasons]);
    expect(names(words.parcel.reasons)).toEqual([...statusReasons]);
    expect(names(words.deliveries.statuses)).toEqual([...deliveryStatuses]);
    expect(names(words.endpoints.states)).toEqual([...endpointStatuses]);
    expect(names(words.endpoint.disabledBecause)).toEqual([...disabledReasons]);
    expect(names(words.delivery.reasons)).toEqual([...nextAttemptReasons]);
    expect(names(words.endpointForm.types)).toEqual([...tenantEventTypes]);
    expect(names(words.replay.choices)).toEqual([...replayChoices]);
    expect(names(words.activity.actions)).toEqual([...auditActions]);
    expect(names(words.activity.resources)).toEqual([...auditResources]);
    expect(names(words.activity.outcomes)).toEqual([...auditOutcomes]);
    expect(names(words.failedCalls.codes)).toEqual([...errorCodes]);
  });
});

test('Chinese has a word for every status of a carrier', () => {
  expect(Object.keys(zh.parcel.adminStatuses)).toEqual([...adminStatuses]);
});

test.each([
  [['zh-Hans-CN', 'en'], 'zh'],
  [['fr', 'zh-TW', 'en'], 'zh'],
  [['en-US', 'zh'], 'en'],
  [['fr'], 'en'],
  [[], 'en'],
])('of %j the page speaks %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
