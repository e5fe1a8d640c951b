import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { domainEventExamples } from '@parcelway/contracts/domain-event-examples';
import { domainEventTypes, topicOf } from '@parcelway/contracts/domain-events';
import { routes } from '@parcelway/contracts/routes';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { type Topic, topics } from '@parcelway/contracts/topics';
import type { ServiceDefinition } from '@parcelway/platform/service';
import { fileService } from '@parcelway/service-file/service';
import { forecastService } from '@parcelway/service-forecast/service';
import { gatewayService } from '@parcelway/service-gateway/service';
import { trackingService } from '@parcelway/service-tracking/service';
import { warehouseIntakeService } from '@parcelway/service-warehouse-intake/service';
import { webhookService } from '@parcelway/service-webhook/service';
import { type Arrow, arrowsOf } from './flowchart.ts';
import { type AllowedConnection, allowedBy } from './network-policies.ts';

/* The diagrams of docs/architecture.md against what is configured, in both directions. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');

const definitions: Readonly<Record<ServiceName, ServiceDefinition>> = {
  gateway: gatewayService,
  forecast: forecastService,
  file: fileService,
  'warehouse-intake': warehouseIntakeService,
  tracking: trackingService,
  webhook: webhookService,
};

const arrows = arrowsOf(read('docs/architecture.md'));
const isService = (name: string): name is ServiceName => (serviceNames as readonly string[]).includes(name);
const shown = (chosen: (arrow: Arrow) => boolean): string[] => arrows.filter(chosen).map(textOf).sort();
const textOf = ({ from, to, label, kind }: Arrow): string => (kind === 'topic' ? `${from} -${label}-> ${to}` : `${from} -> ${to}`);
const calls = arrows.filter(({ kind }) => kind === 'call');

/** Those who are outside of the network of the services, whatever they are called. */
const OUTSIDE = ['merchant', 'warehouse', 'carrier'];
/** Ports of servers in the manifests. */
const PORTS: Readonly<Record<string, number>> = {
  mongodb: 27017,
  kafka: 9092,
  redis: 6379,
  'object-store': 443,
  'opentelemetry-collector': 4318,
};

test('no arrow is shown twice', () => {
  const texts = arrows.map(textOf);
  expect(texts).toEqual([...new Set(texts)]);
});

describe('the services', () => {
  test('call whom the diagram says', () => {
    const declared = Object.values(definitions).flatMap(({ name, calls: called }) => called.map((other) => `${name} -> ${other}`));
    expect(shown(({ from, to, kind }) => kind === 'call' && isService(from) && isService(to))).toEqual(declared.sort());
  });

  test('are called by the gateway as its routes say', () => {
    const forwarded = new Set(routes.flatMap(({ service, fallback }) => [service, ...(fallback === undefined ? [] : [fallback])]));
    forwarded.delete('gateway');
    expect(shown(({ from, to, kind }) => kind === 'call' && from === 'gateway' && isService(to))).toEqual(
      [...forwarded].map((service) => `gateway -> ${service}`).sort(),
    );
  });

  test('publish and consume the topics that the diagram says', () => {
    const publishers = new Map<Topic, Set<string>>([
      [topics.warehouseIntake, new Set(['systems'])],
      [topics.warehouseExpected, new Set(['warehouse-intake'])],
    ]);
    for (const type of domainEventTypes) {
      const service = domainEventExamples[type].source.split('/').at(-1) as string;
      publishers.set(topicOf[type], (publishers.get(topicOf[type]) ?? new Set()).add(service));
    }
    const consumersOf = (topic: Topic): readonly string[] => {
      // `topicConsumers` leaves out the groups of single replicas of the gateway, and systems outside.
      if (topic === topics.gateway) return ['gateway', ...topicConsumers[topic]];
      return topic === topics.warehouseExpected ? ['systems'] : topicConsumers[topic];
    };
    const configured = Object.values(topics).flatMap((topic) =>
      [...(publishers.get(topic) ?? [])].flatMap((publisher) =>
        consumersOf(topic).map((consumer) => `${publisher} -${topic}-> ${consumer}`),
      ),
    );
    expect(shown(({ kind }) => kind === 'topic')).toEqual(configured.sort());
  });

  test('use the servers that the diagram says', () => {
    const declared = Object.values(definitions).flatMap(({ name, uses }) => [
      `${name} -> mongodb`,
      `${name} -> kafka`,
      ...uses.filter((facility) => facility !== 'public-address').map((facility) => `${name} -> ${facility}`),
    ]);
    const servers = ['mongodb', 'kafka', 'redis', 'object-store'];
    expect(shown(({ from, to, kind }) => kind === 'call' && isService(from) && servers.includes(to))).toEqual(declared.sort());
  });
});

/** The lines of one service of docker-compose.yml. */
function composeBlock(name: string): string {
  const [, block] = new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(read('docker-compose.yml')) ?? [];
  if (block === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return block;
}

describe('docker-compose.yml', () => {
  test('gives every service the addresses of those that are called', () => {
    const called = [...new Set(calls.filter(({ from, to }) => isService(from) && isService(to)).map(({ to }) => to))];
    const addresses = [...read('docker-compose.yml').matchAll(/^ {4}[A-Z_]+_URL: http:\/\/([\w-]+):8080$/gm)].map(([, name]) => name);
    expect(addresses.sort()).toEqual(called.sort());
  });

  test('connects to the network outside the services that speak with somebody outside, and no others', () => {
    const outside = calls.filter(({ from, to }) => OUTSIDE.includes(from) || OUTSIDE.includes(to)).flatMap(({ from, to }) => [from, to]);
    const expected = serviceNames.filter((name) => outside.includes(name));
    expect(serviceNames.filter((name) => composeBlock(name).includes('networks: [inside, outside]'))).toEqual(expected);
  });

  test('publishes the ports of those alone that somebody outside calls', () => {
    const called = calls.filter(({ from, to }) => OUTSIDE.includes(from) && isService(to)).map(({ to }) => to);
    expect(serviceNames.filter((name) => composeBlock(name).includes('ports:'))).toEqual([...new Set(called)]);
  });

  test('starts the gateway after those whom it calls', () => {
    const after = [...composeBlock('gateway').matchAll(/^ {6}([\w-]+): \{ condition: service_healthy \}$/gm)].map(
      ([, name]) => name as string,
    );
    expect(after.map((name) => `gateway -> ${name}`).sort()).toEqual(
      shown(({ from, to, kind }) => kind === 'call' && from === 'gateway' && isService(to)),
    );
  });
});

const policies = (folder: string): string =>
  readdirSync(`${root}k8s/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'))
    .map((name) => read(`k8s/${folder}/${name}`))
    .join('\n---\n');

/** Text of a connection; whoever is outside is named as the policies name them. */
const line = (from: string, to: string): string => `${from} -> ${to}`;
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

describe('the NetworkPolicies', () => {
  const base = allowedBy(policies('base'), { services: serviceNames });
  const collector = allowedBy(policies('components/otlp'), { services: serviceNames });
  const devServers = allowedBy(policies('components/dev-servers'), { services: serviceNames });
  // Names are looked up by everybody.
  const egress = [...base.egress, ...collector.egress].filter(({ to }) => to !== 'dns');

  test('let services call whom the diagram says, and nobody else', () => {
    const expected = calls
      .filter(({ from }) => isService(from) || from === 'migrate')
      .map(({ from, to }) => line(from, OUTSIDE.includes(to) ? 'internet' : to));
    expect(unique(egress.map(({ from, to }) => line(from, to)))).toEqual(unique(expected));
  });

  test('let in whom the diagram says, and nobody else', () => {
    // Whoever is outside comes by the Ingress controller, whose place an overlay names.
    const expected = calls.filter(({ from, to }) => isService(to) && !OUTSIDE.includes(from)).map(({ from, to }) => line(from, to));
    expect(unique(base.ingress.map(({ from, to }) => line(from, to)))).toEqual(unique(expected));
  });

  test('name the port of what is called', () => {
    const portOf = ({ from, to }: AllowedConnection): number => {
      if (from === 'ingress') return 8443;
      return from === 'prometheus' ? 8444 : (PORTS[to] ?? 8080);
    };
    const wrong = [...base.ingress, ...egress].filter((each) => each.to !== 'internet' && each.port !== portOf(each));
    expect(wrong).toEqual([]);
  });

  test('of the servers to try with let in whom the diagram says, besides themselves', () => {
    const servers = ['mongodb', 'kafka', 'redis', 'object-store'];
    const expected = calls.filter(({ to }) => servers.includes(to)).map(({ from, to }) => line(from, to));
    const others = devServers.ingress.filter(({ from, to }) => from !== to);
    expect(unique(others.map(({ from, to }) => line(from, to)))).toEqual(unique(expected));
  });

  test('let the backup reach what the diagram says', () => {
    const text = read('k8s/components/backup/kustomization.yaml');
    const [, names = ''] = /kind: NetworkPolicy, name: (\S+) \}[\s\S]*?value: backup\b/.exec(text) ?? [];
    expect(
      names
        .split('|')
        .map((name) => `backup -> ${name.replace('reach-', '')}`)
        .sort(),
    ).toEqual(shown(({ from }) => from === 'backup'));
  });
});
