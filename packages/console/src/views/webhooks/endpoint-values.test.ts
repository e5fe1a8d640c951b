import { describe, expect, test } from '@jest/globals';
import { routeExamples } from '@parcelway/contracts/route-examples';
import { compileValidator } from '@parcelway/contracts/validator';
import { EndpointChange, EndpointCreation, type WebhookEndpoint } from '@parcelway/contracts/webhook-endpoint-api';
import { preselectedTypes } from '../../api/event-types.ts';
import { changeOf, creationOf, filterOf, valuesOf } from './endpoint-values.ts';

const endpoint = routeExamples['getEndpoint']?.data as WebhookEndpoint;

describe('the form of an endpoint', () => {
  test('makes a body that the API takes, from the least that can be typed', () => {
    const body = creationOf({ ...valuesOf(undefined, preselectedTypes), url: ' https://shop.example.com/hooks ' });
    expect(compileValidator(EndpointCreation).errors(body)).toEqual([]);
    expect(body).toEqual({
      url: 'https://shop.example.com/hooks',
      event_types: ['parcel.weighed', 'tracking.changed', 'parcel.exception'],
      description: '',
      filter: {},
      headers: {},
      metadata: {},
      rate_limit: null,
      payload: 'thin',
    });
  });

  test('leaves alone what was not touched: the address, and headers whose values nobody here knows', () => {
    const change = changeOf(valuesOf(endpoint, preselectedTypes), endpoint);
    expect(compileValidator(EndpointChange).errors(change)).toEqual([]);
    expect(change).toEqual({
      description: endpoint.description,
      event_types: endpoint.event_types,
      filter: {},
      metadata: endpoint.metadata,
      rate_limit: null,
      payload: 'thin',
    });
  });

  test('sends what was typed', () => {
    const values = {
      ...valuesOf(endpoint, preselectedTypes),
      url: 'https://other.example.com/',
      filter: '{"is_terminal": true}',
      rateLimit: '20',
      payload: 'full' as const,
      headers: [
        { name: ' Authorization ', value: 'Bearer x' },
        { name: '', value: 'left over' },
      ],
    };
    const change = changeOf(values, endpoint);
    expect(compileValidator(EndpointChange).errors(change)).toEqual([]);
    expect(change).toMatchObject({
      url: values.url,
      filter: { is_terminal: true },
      rate_limit: 20,
      payload: 'full',
      headers: { Authorization: 'Bearer x' },
    });
  });

  test.each(['[]', '1', 'null', '{"a":', 'is_terminal'])('%s is no filter', (text) => {
    expect(filterOf(text)).toBeUndefined();
  });
});
