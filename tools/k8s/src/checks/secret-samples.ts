/**
 * What the Secrets hold that docs/kubernetes.md creates, with values of the right form. The environment comes before each
 * name (`sandbox-mongodb`).
 */
export const secretSamples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  internal: {
    'internal-secret': 'i'.repeat(64),
    'internal-secret-previous': '',
    'file-secret': 'f'.repeat(64),
    'file-secret-previous': '',
    'number-secret': '',
  },
  mongodb: { url: 'mongodb://someone:something@mongodb:27017/?replicaSet=rs0' },
  kafka: { username: 'parcelway', password: 'something', ca: 'something' },
  redis: { url: 'rediss://:something@redis:6379' },
  'object-store': { 'access-key': 'parcelway', 'secret-key': 'something' },
  admin: { token: 't'.repeat(43) },
  carriers: { carriers: '{"yunexpress":{"url":"https://carrier.example.com/track/{tracking_number}","token":"something"}}' },
  tracking: {
    sources: '[{"id":"17track","source":"17track","carriers":["*"],"credentials":{"key":"something"}}]',
    'credentials-secret': 'c'.repeat(64),
    'credentials-secret-previous': '',
  },
};

/** The sample of `<environment>-<secret>/<key>`; undefined when no such secret is documented. */
export function sampleOf(reference: string): string | undefined {
  const [name = '', key = ''] = reference.split('/');
  // The environment may be called anything, with hyphens in it or not.
  const secret = Object.keys(secretSamples).find((each) => name.endsWith(`-${each}`));
  return secret === undefined ? undefined : secretSamples[secret]?.[key];
}
