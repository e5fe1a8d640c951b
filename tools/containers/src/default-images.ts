/** Images by the variables that replace them, the same as in docker-compose.yml. */
export const defaultImages = {
  MONGO_IMAGE: 'mongo:7.0.28',
  KAFKA_IMAGE: 'apache/kafka:4.1.1',
  REDIS_IMAGE: 'redis:7.4.7-alpine',
  S3_IMAGE: 'versity/versitygw:v1.7.0',
  TOXIPROXY_IMAGE: 'ghcr.io/shopify/toxiproxy:2.12.0',
};

/** The image of a server. */
export function imageOf(variable: keyof typeof defaultImages) {
  return process.env[variable] || defaultImages[variable];
}
