import { kafkaGroup, kafkaTopic } from '@parcelway/bus/kafka-connection';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { definitions } from './check-environment.ts';
import { type Manifest, ofKind } from './manifests.ts';

interface AutoscalerSpec {
  readonly scaleTargetRef: { readonly name: string };
  readonly maxReplicas: number;
}

interface ScaledObjectSpec {
  readonly scaleTargetRef: { readonly name: string };
  readonly maxReplicaCount: number;
  readonly triggers: ReadonlyArray<{ readonly type: string; readonly metadata: Readonly<Record<string, string>> }>;
}

const SASL_OF_KEDA: Readonly<Record<string, string>> = {
  plain: 'plaintext',
  'scram-sha-256': 'scram_sha256',
  'scram-sha-512': 'scram_sha512',
};

interface BudgetSpec {
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
}

/** Groups and topics that a service reads, as KEDA names them. */
function lagsOf(service: string, prefix: string): string[] {
  const topics = Object.entries(topicConsumers).flatMap(([topic, readers]) =>
    (readers as readonly string[]).includes(service) ? [topic] : [],
  );
  return topics.map((topic) => `${kafkaGroup({ prefix }, service, topic)} of ${kafkaTopic({ prefix }, topic)}`).sort();
}

function installation(manifests: readonly Manifest[]): Readonly<Record<string, string>> {
  return ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('installation-'))?.data ?? {};
}

function scaledProblems(manifests: readonly Manifest[], name: string, spec: ScaledObjectSpec): string[] {
  const { KAFKA_PREFIX = '', KAFKA_BROKERS, KAFKA_SSL, KAFKA_SASL_MECHANISM = '' } = installation(manifests);
  const kafka = spec.triggers.flatMap(({ type, metadata }) => (type === 'kafka' ? [metadata] : []));
  const asked = kafka.map(({ consumerGroup, topic }) => `${consumerGroup} of ${topic}`).sort();
  const read = lagsOf(name, KAFKA_PREFIX);
  const problems = asked.join() === read.join() ? [] : [`KEDA asks for the lag of ${asked.join(', ')}; it reads ${read.join(', ')}`];
  if (kafka.some(({ bootstrapServers }) => bootstrapServers !== KAFKA_BROKERS)) problems.push('KEDA asks other brokers than KAFKA_BROKERS');
  if (kafka.some(({ tls }) => (tls === 'enable') !== (KAFKA_SSL === 'on')))
    problems.push('KEDA speaks to Kafka otherwise than KAFKA_SSL says');
  // `none` is for brokers without authentication: services decide that by the user name, which no manifest has.
  if (kafka.some(({ sasl = '' }) => sasl !== 'none' && sasl !== SASL_OF_KEDA[KAFKA_SASL_MECHANISM]))
    problems.push('KEDA signs in to Kafka otherwise than KAFKA_SASL_MECHANISM says');
  return problems;
}

/** @returns a sentence for every service that nothing scales, or two do, or whose nodes may be drained of all its pods at once */
export function scalingProblems(manifests: readonly Manifest[]): readonly string[] {
  const autoscalers = ofKind<AutoscalerSpec>(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec);
  const scaled = ofKind<ScaledObjectSpec>(manifests, 'ScaledObject').map(({ spec }) => spec);
  const budgets = ofKind<BudgetSpec>(manifests, 'PodDisruptionBudget').map(
    ({ spec }) => spec.selector.matchLabels['app.kubernetes.io/name'],
  );
  return [...definitions.keys()].flatMap((name) => {
    const own = autoscalers.filter(({ scaleTargetRef }) => scaleTargetRef.name === name);
    const byLag = scaled.filter(({ scaleTargetRef }) => scaleTargetRef.name === name);
    const most = [...own.map(({ maxReplicas }) => maxReplicas), ...byLag.map(({ maxReplicaCount }) => maxReplicaCount)];
    const problems = byLag.flatMap((spec) => scaledProblems(manifests, name, spec));
    if (most.length !== 1) problems.push(`is scaled by ${most.length} autoscalers; one has to`);
    if (most.some((count) => count > PARTITIONS)) problems.push(`may have more than ${PARTITIONS} replicas, one for each partition`);
    if (!budgets.includes(name)) problems.push('has no PodDisruptionBudget');
    return problems.map((problem) => `${name}: ${problem}`);
  });
}
