import type { Environ } from '../config.ts';
import type { ServiceStore } from '../service.ts';
import type { Check } from './check.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkKafka } from './check-kafka.ts';
import { checkMongo } from './check-mongo.ts';
import { checkObjectStore } from './check-object-store.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkServices } from './check-services.ts';

/**
 * The checks of a distributed installation.
 * @param env of the services, with the secrets already read from files
 * @param stores what every service keeps in its database; undefined where that is not known
 */
export function distributedChecks(env: Environ, stores: readonly ServiceStore[] | undefined): readonly Check[] {
  return [
    checkMongo(env, stores),
    checkKafka(env),
    checkRedis(env),
    checkObjectStore(env),
    checkServices(env),
    checkSecrets(env),
    checkCertificate(env),
  ];
}
