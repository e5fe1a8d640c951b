import { expect, test } from '@jest/globals';
import { allowedBy } from './network-policies.ts';

const groups = { services: ['a', 'b'] };
const policy = (name: string, spec: string): string => `kind: NetworkPolicy\nmetadata:\n  name: ${name}\nspec:\n${spec}`;

test('each peer of a rule is a connection, in its direction', () => {
  const text = policy(
    'a',
    `  podSelector: { matchLabels: { app.kubernetes.io/name: a } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector: { matchLabels: { app.kubernetes.io/name: b } }
        # - podSelector: { matchLabels: { app.kubernetes.io/name: c } }
      ports: [{ port: 8080, protocol: TCP }]
  egress:
    - to: [{ ipBlock: { cidr: 0.0.0.0/0 } }]
      ports: [{ port: 443, protocol: TCP }]
`,
  );
  expect(allowedBy(text, groups)).toEqual({
    ingress: [{ from: 'b', to: 'a', port: 8080, policy: 'a' }],
    egress: [{ from: 'a', to: 'internet', port: 443, policy: 'a' }],
  });
});

test('a policy for a server that an overlay places is named after it', () => {
  const text = policy(
    'reach-kafka',
    `  podSelector: { matchLabels: { app.kubernetes.io/component: service } }
  egress:
    - to: [{ ipBlock: { cidr: 192.0.2.0/24 } }]
      ports: [{ port: 9092, protocol: TCP }]
`,
  );
  expect(allowedBy(text, groups).egress.map(({ from, to }) => `${from} ${to}`)).toEqual(['a kafka', 'b kafka']);
});

test('a rule without a peer allows anybody', () => {
  const text = policy('a', '  podSelector: { matchLabels: { app.kubernetes.io/name: a } }\n  ingress:\n    - ports: [{ port: 1 }]\n');
  expect(allowedBy(text, groups).ingress).toEqual([{ from: 'anywhere', to: 'a', port: 1, policy: 'a' }]);
});

test('a selector in another form is an error', () => {
  expect(() => allowedBy(policy('a', '  podSelector: { matchLabels: { tier: back } }\n'), groups)).toThrow('Cannot read the selector');
});
