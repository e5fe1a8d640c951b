import { portsOf } from './ports.ts';

/** The keys of the S3 server; it listens on loopback only and holds test data. */
export const S3_ACCESS_KEY = 'parcelway';
export const S3_SECRET_KEY = 'parcelway-secret';
export const S3_REGION = 'us-east-1';

const HOST = '127.0.0.1';
const list = (ports: readonly number[]) => ports.map((port: number) => `${HOST}:${port}`).join(',');

/** The variables by which programs find a set. */
export function environmentOf({ base, cluster }: { base: number; cluster: boolean }): Record<string, string> {
  const ports = portsOf(base, cluster);
  return {
    MONGODB_URL: `mongodb://${list(ports.mongo.map((node) => node.port))}/?replicaSet=rs0`,
    // A replica set gives its members' own addresses, so a driver that discovers them would leave the proxy behind.
    MONGODB_URL_PROXIED: `mongodb://${HOST}:${ports.mongo[0].proxy}/?directConnection=true`,
    KAFKA_BROKERS: list(ports.kafka.map((node) => node.port)),
    KAFKA_BROKERS_PROXIED: list(ports.kafka.map((node) => node.proxy)),
    REDIS_URL: `redis://${HOST}:${ports.redis.port}`,
    REDIS_URL_PROXIED: `redis://${HOST}:${ports.redis.proxy}`,
    S3_ENDPOINT: `http://${HOST}:${ports.s3.port}`,
    S3_ENDPOINT_PROXIED: `http://${HOST}:${ports.s3.proxy}`,
    S3_ACCESS_KEY,
    S3_SECRET_KEY,
    S3_REGION,
    TOXIPROXY_URL: `http://${HOST}:${ports.toxiproxy}`,
    PARCELWAY_SERVERS_PORT_BASE: String(base),
  };
}

/** The same as lines for `eval` in a POSIX shell. */
export function renderExports(environment: Record<string, string>) {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
}
