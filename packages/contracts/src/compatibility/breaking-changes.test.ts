import { describe, expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';
import { currentContracts } from './contract-bundle.ts';
import { acceptedChanges, judgeContracts, releasedContracts } from './released.ts';

/* Changes planted in the real contracts, and what is found for each. */

// biome-ignore lint/suspicious/noExplicitAny: documents are reached into by hand
type Loose = any;
/** A change of contracts in place. */
type Edit = (bundle: { openapi: Loose; asyncapi: Loose; keys: Record<string, string> }) => unknown;

const before = currentContracts('1.0.0');

/** The contracts with a change, as another version. */
function after(edit: Edit) {
  const copy = structuredClone(before);
  edit(copy);
  return { ...copy, version: '1.1.0' };
}
const idsOf = (edit: Edit): readonly string[] => breakingChanges(before, after(edit)).map(({ id }) => id);

/** Changes a named schema of the API. */
const schema =
  (name: string, edit: (found: Loose) => unknown): Edit =>
  ({ openapi }) =>
    edit(openapi.components.schemas[name]);
/** Changes the data of a domain event. */
const eventData =
  (name: string, edit: (found: Loose) => unknown): Edit =>
  ({ asyncapi }) =>
    edit(asyncapi.components.schemas[name]);
/** Changes the list of forecasts. */
const list =
  (edit: (operation: Loose) => unknown): Edit =>
  ({ openapi }) =>
    edit(openapi.paths['/open/v1/forecasts'].get);
const limitOf = ({ parameters }: Loose): Loose => parameters.find(({ name }: Loose) => name === 'limit').schema;
/** Adds a field that is always there. */
const addField = (found: Loose) => {
  found.properties.scale = { type: 'string' };
  found.required = [...(found.required ?? []), 'scale'];
};
const removeField = (name: string) => (found: Loose) => {
  delete found.properties[name];
  found.required = found.required.filter((each: string) => each !== name);
};

const API = 'openapi / components / schemas';
const LIST = 'openapi / paths / /open/v1/forecasts / get';
const EVENTS = 'asyncapi / components / schemas';

describe('breaks', () => {
  test.each<[string, Edit, ...string[]]>([
    ['a removed route', ({ openapi }) => delete openapi.paths['/open/v1/warehouses'], 'openapi / paths / /open/v1/warehouses: removed'],
    ['a field required of callers', schema('ForecastSubmission', addField), `${API} / ForecastSubmission / required / "scale": added`],
    [
      'a narrower bound',
      list((found) => Object.assign(limitOf(found), { maximum: 50, pattern: '^5' })),
      `${LIST} / parameters / query.limit / schema / pattern: added`,
      `${LIST} / parameters / query.limit / schema / maximum: changed`,
    ],
    [
      'a required parameter',
      list(({ parameters }) => parameters.push({ name: 'year', in: 'query', required: true, schema: {} })),
      `${LIST} / parameters / query.year: added`,
    ],
    [
      'a removed parameter',
      list((found) => Object.assign(found, { parameters: found.parameters.filter(({ name }: Loose) => name !== 'cursor') })),
      `${LIST} / parameters / query.cursor: removed`,
    ],
    [
      'a scope that no longer opens a route',
      list((found) => Object.assign(found, { security: [{ ApiKey: ['forecasts:write'] }] })),
      `${LIST} / security / {"ApiKey":["weighing:read"]}: removed`,
    ],
    [
      'a removed field of a response',
      schema('WeighingData', removeField('weight_kg')),
      `${API} / WeighingData / properties / weight_kg: removed`,
      `${API} / WeighingData / required / "weight_kg": removed`,
    ],
    [
      'a longer list of values in a webhook',
      schema('DisabledReason', (found) => found.enum.push('unpaid')),
      `${API} / DisabledReason / enum / "unpaid": added`,
    ],
    [
      'another status of success',
      list(({ responses }) => {
        responses[202] = responses[200];
        delete responses[200];
      }),
      `${LIST} / responses / 200: removed`,
    ],
    [
      'an error code whose data may lack a field',
      ({ openapi }) => Object.assign(openapi.components.responses.PreconditionFailed41201['x-error-codes'], { 41201: [] }),
      'openapi / components / responses / PreconditionFailed41201 / x-error-codes / 41201 / "version": removed',
    ],
    ['a removed webhook', ({ openapi }) => delete openapi.webhooks['tracking.changed'], 'openapi / webhooks / tracking.changed: removed'],
    ['a field required of an event', eventData('ParcelWeighedData', addField), `${EVENTS} / ParcelWeighedData / required / "scale": added`],
    [
      'a wider bound of an event, and a narrower one',
      eventData('ParcelWeighedData', ({ properties }) => Object.assign(properties.status, { maximum: 8, minimum: 2 })),
      `${EVENTS} / ParcelWeighedData / properties / status / minimum: changed`,
      `${EVENTS} / ParcelWeighedData / properties / status / maximum: changed`,
    ],
    [
      'another topic, with more partitions',
      ({ asyncapi }) => {
        asyncapi.channels.tracking.address = 'tracking.events.v2';
        asyncapi.channels.tracking.bindings.kafka.partitions = 24;
      },
      'asyncapi / channels / tracking / address: changed',
      'asyncapi / channels / tracking / bindings / kafka / partitions: changed',
    ],
    ['another key', ({ keys }) => Object.assign(keys, { 'key.revoked': '{tenantid}' }), 'keys / key.revoked: changed'],
  ])('%s', (_what, edit, ...ids) => expect([...idsOf(edit)].sort()).toEqual([...ids].sort()));
});

describe('breaks nobody', () => {
  test.each<[string, Edit]>([
    ['nothing', () => undefined],
    ['an optional field of a request', schema('ForecastSubmission', ({ properties }) => Object.assign(properties, { incoterm: {} }))],
    ['a field of a response', schema('WeighingData', addField)],
    ['an optional field of an event', eventData('ParcelWeighedData', ({ properties }) => Object.assign(properties, { scale: {} }))],
    ['a field that callers may leave out now', schema('ForecastSubmission', (found) => found.required.pop())],
    ['an optional parameter', list(({ parameters }) => parameters.push({ name: 'year', in: 'query', required: false, schema: {} }))],
    ['a further scope that opens a route', list(({ security }) => security.push({ ApiKey: ['tracking:read'] }))],
    [
      'a wider bound for callers',
      schema('ForecastSubmission', ({ properties }) => Object.assign(properties.items, { maxItems: properties.items.maxItems + 1 })),
    ],
    [
      'an error code with its own data',
      ({ openapi }) => {
        for (const response of Object.values<Loose>(openapi.components.responses)) response['x-error-codes']['49999'] = ['colours'];
        openapi.components.schemas.ErrorData.properties.colours = { type: 'array', items: { type: 'string' } };
      },
    ],
    [
      'a route, a method and a webhook',
      ({ openapi }) => {
        openapi.paths['/open/v2/forecasts'] = openapi.paths['/open/v1/forecasts'];
        openapi.paths['/open/v1/forecasts'].delete = openapi.paths['/open/v1/forecasts'].get;
        openapi.webhooks['parcel.lost'] = openapi.webhooks['parcel.weighed'];
      },
    ],
    [
      'a domain event',
      ({ asyncapi }) => {
        asyncapi.components.messages.Lost = { name: 'parcel.lost', payload: { type: 'object' } };
        asyncapi.channels.forecast.messages.Lost = { $ref: '#/components/messages/Lost' };
      },
    ],
  ])('%s', (_what, edit) => expect(idsOf(edit)).toEqual([]));
});

describe('the verdict', () => {
  const edit: Edit = ({ openapi }) => delete openapi.webhooks['tracking.changed'];
  const id = 'openapi / webhooks / tracking.changed: removed';

  test('is over every release, and names those that have it otherwise', () => {
    const newest = { ...after(edit), version: '1.2.0' };
    expect(judgeContracts([before, newest], newest, []).breaking).toEqual([{ id, change: 'is gone', since: ['1.0.0'] }]);
  });

  test('passes an accepted change, and reports an accepted change that is no longer in the contract', () => {
    const accepted = [{ id, reason: 'Nobody has it' }];
    expect(judgeContracts([before], after(edit), accepted)).toEqual({ breaking: [], stale: [] });
    expect(judgeContracts([before], before, accepted).stale).toEqual([id]);
  });
});

test('the contracts break nobody who keeps to a released version (docs/contracts.md says what to do), unless it was accepted with a reason', () => {
  expect(judgeContracts(releasedContracts(), currentContracts('today'), acceptedChanges())).toEqual({ breaking: [], stale: [] });
  for (const { reason } of acceptedChanges()) expect(reason.length).toBeGreaterThan(20);
});
