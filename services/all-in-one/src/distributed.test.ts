import { expect, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';
import type { ConfigError } from '@parcelway/platform/config';
import { checkSettings, originsOf } from './distributed.ts';

const sound = {
  ...originsOf(new Map(serviceNames.map((name) => [name, 8080] as const))),
  ...{ INTERNAL_SECRET: 'i'.repeat(64), FILE_SECRET: 'f'.repeat(64), PUBLIC_BASE_URL: 'https://localhost:8443' },
  ...{ MONGODB_URL: 'mongodb://localhost/?replicaSet=rs0', KAFKA_BROKERS: 'localhost:9092', REDIS_URL: 'redis://localhost' },
  ...{ S3_ENDPOINT: 'http://localhost:9000', S3_ACCESS_KEY: 'parcelway', S3_SECRET_KEY: 'something' },
};

test('accepts what every service accepts', () => {
  expect(() => checkSettings(sound)).not.toThrow();
});

test('names what is wrong in any service, each once', () => {
  const wrong = {
    ...{ VOLUME_DIVISOR: 'one', FILE_ABANDONED_AFTER: 'one', LABEL_PAGE: 'one', ARCHIVE: 'one' },
    ...{ INTAKE_RETENTION_DAYS: 'one', TRACKING_SOURCES: 'one', WEBHOOK_RETRY_SCHEDULE: 'one', ACCESS_LOG: 'one', KAFKA_SSL: 'one' },
  };
  const problems: string[] = [];
  try {
    checkSettings({ ...sound, ...wrong });
  } catch (error) {
    problems.push(...(error as ConfigError).problems);
  }
  expect(problems.map((each) => each.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort());
});
