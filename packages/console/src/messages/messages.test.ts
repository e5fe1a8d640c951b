import { describe, expect, test } from '@jest/globals';
import { FailedCallsQuery } from '@parcelway/contracts/activity-api';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { auditActions, auditOutcomes, auditResources } from '@parcelway/contracts/audited-routes';
import { statusReasons } from '@parcelway/contracts/forecast-api';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { exceptionReasons, imageTypes } from '@parcelway/contracts/parcel-reports';
import { deliveryStatuses, nextAttemptReasons, replayChoices } from '@parcelway/contracts/webhook-delivery-api';
import { disabledReasons, endpointStatuses } from '@parcelway/contracts/webhook-endpoint-api';
import { tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { languageOf } from '@parcelway/page/languages';
import { en, type Messages, zh } from './words.ts';

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
    expect(names(words.failedCalls.codes)).toEqual((FailedCallsQuery.properties.code as { readonly enum?: readonly string[] }).enum);
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
])('for %j the page uses %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
