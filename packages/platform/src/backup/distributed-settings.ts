import { serviceNames } from '@parcelway/contracts/service-name';
import { type Environ, loadSections } from '../config.ts';
import * as read from '../distributed-config.ts';

/** Where everything of a distributed installation is. @throws ConfigError naming every variable that is wrong */
export function readBackupSettings(env: Environ) {
  const { installation, mongo, kafka, objectStore, secrets } = loadSections(env, {
    installation: read.readInstallation,
    mongo: read.readMongo,
    kafka: read.readKafka,
    objectStore: read.readObjectStore,
    secrets: read.readSecrets,
  });
  const { bucket = installation.resourcePrefix, ...store } = objectStore;
  return {
    environment: installation.environment,
    databases: serviceNames.map((service) => ({ service, name: `${installation.resourcePrefix}-${service}` })),
    mongoUrl: mongo.url,
    kafka: { ...kafka, clientId: 'parcelctl' },
    objectStore: { ...store, bucket },
    fileSecret: secrets.file.fileSecret,
    sealSecrets: secrets.file.sealSecrets,
  };
}

/** Where the parts of a backup are in its folder. */
export const RECORDS = 'kafka/records.jsonl';
export const OBJECTS = 'objects';
export const DOCUMENTS = 'mongodb';

/** Uses what is to be closed. */
export async function closing<R extends { close(): unknown }, T>(resource: R, use: (resource: R) => Promise<T>): Promise<T> {
  try {
    return await use(resource);
  } finally {
    await resource.close();
  }
}
