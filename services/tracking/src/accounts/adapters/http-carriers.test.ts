import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CarrierDetection } from '@parcelway/contracts/carrier-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { type ServiceDriver, startTracking, type TestResponse } from '../../testing/service-driver.ts';

const validator = compileValidator(CarrierDetection);

test('a warehouse is offered what connections of the operator name, and nobody else is', async () => {
  const driver = await startTracking();
  try {
    const creation = { source: 'dhl', carriers: ['dhl', '*'], credentials: { key: 'demo-key', push_token: 'a-token-of-the-merchant' } };
    expect((await driver.call('POST', '/open/v1/carrier-connections', { ...creation, carriers: ['of-a-tenant'] })).body.code).toBe('0');
    expect((await driver.call('POST', '/internal/v1/carrier-connections', { id: 'ours', ...creation }, null)).body.code).toBe('0');
    expect((await driver.warehouseCarriers()).body.data).toEqual({ carriers: ['dhl'] });
    expect((await driver.warehouseCarriers('tenant')).body.code).toBe('40301');
  } finally {
    await driver.close();
  }
});

describe('the detection of carriers', () => {
  let driver: ServiceDriver;
  beforeAll(async () => {
    driver = await startTracking();
  });
  afterAll(() => driver.close());

  const detected = async (tracking_number: string): Promise<TestResponse['body']['data']> => {
    const { status, body } = await driver.detect({ tracking_number });
    expect([status, validator.errors(body.data)]).toEqual([200, []]);
    return body.data;
  };

  test('names one carrier for a number with a right check digit, however it is written', async () => {
    expect(await detected('1z 999-aa1 0123456784')).toEqual({
      tracking_number: '1Z999AA10123456784',
      candidates: [
        {
          carrier_code: 'ups',
          carrier_name: 'UPS',
          confidence: 'high',
          reason: '18 characters that start with 1Z; the check digit is right',
        },
      ],
    });
  });

  test('warns of a check digit that does not fit', async () => {
    expect(await detected('RB123456786GB')).toEqual({
      tracking_number: 'RB123456786GB',
      candidates: [],
      warnings: [{ field: 'tracking_number', message: expect.stringMatching(/format UPU S10, but its check digit does not fit/) }],
    });
  });

  test('without a number it is 42201; for any other caller than a tenant it is 40301', async () => {
    const missing = (await driver.detect({})).body;
    expect([missing.code, missing.data]).toMatchObject(['42201', { errors: [{ field: 'tracking_number', rule: 'required' }] }]);
    for (const kind of ['system', 'warehouse'] as const)
      expect((await driver.detect({ tracking_number: '1234' }, kind)).body.code).toBe('40301');
  });
});
