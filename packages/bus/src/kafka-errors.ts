import { AppError } from '@parcelway/kernel/app-error';
import { within as waitWithin } from '@parcelway/kernel/within';

const WRAPPERS: readonly string[] = ['KafkaJSNumberOfRetriesExceeded', 'KafkaJSNonRetriableError', 'KafkaJSError'];

/** The failure inside the wrappers that the retries of kafkajs put around it. */
export function causeOf(error: unknown): Error {
  let inner = error instanceof Error ? error : new Error(String(error));
  while (WRAPPERS.includes(inner.name) && inner.cause instanceof Error) inner = inner.cause;
  return inner;
}

/** Name of the error in the Kafka protocol; undefined when it is not a response of a broker. */
export function protocolErrorOf(error: unknown): string | undefined {
  const { type } = causeOf(error) as Error & { readonly type?: unknown };
  return typeof type === 'string' ? type : undefined;
}

/** True when the cluster says that a topic does not exist. */
export function isUnknownTopic(error: unknown): boolean {
  return protocolErrorOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION';
}

/** Responses of a group coordinator that has just started or moved; it serves the group soon. */
const GROUP_NOT_READY: readonly string[] = ['GROUP_LOAD_IN_PROGRESS', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP'];

/** True when the cluster does not serve the group yet, as for a moment after its start or after a change of the coordinator. */
export function isGroupNotReady(error: unknown): boolean {
  return GROUP_NOT_READY.includes(protocolErrorOf(error) ?? '');
}

/** Refusals that meet the same records again at every further try. */
const REFUSALS: readonly string[] = [
  'UNKNOWN_TOPIC_OR_PARTITION',
  'INVALID_TOPIC_EXCEPTION',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'CORRUPT_MESSAGE',
];

/** True when the brokers refuse the records themselves, so that trying again is of no use. */
export function isRefusal(error: unknown): boolean {
  const type = protocolErrorOf(error);
  return type !== undefined && REFUSALS.includes(type);
}

/** The failure as 50301, which says what is missing when it is the topics. */
export function unavailable(error: unknown, topics: readonly string[]): AppError {
  if (error instanceof AppError) return error;
  const cause = causeOf(error);
  if (isUnknownTopic(cause)) return AppError.unavailable(missingTopic(topics), cause);
  return AppError.unavailable('The message log is unavailable', cause);
}

/** Sentence for people that a topic is not there. */
export function missingTopic(topics: readonly string[]): string {
  return `Kafka has no topic ${[...new Set(topics)].join(' or ')}: create the topics before the services use them`;
}

/**
 * Waits for `work` for at most `ms` milliseconds. When the time is over it calls `abandon`, which must end the work.
 * @throws Error naming `what` when the time is over
 */
export function within<T>(ms: number, what: string, work: Promise<T>, abandon?: () => void): Promise<T> {
  return waitWithin(ms, work, () => {
    abandon?.();
    return new Error(`${what} took longer than ${Math.round(ms)} ms`);
  });
}
