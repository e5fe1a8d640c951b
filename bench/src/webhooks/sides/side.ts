import type { Usage } from './usage.ts';

/** An endpoint to register. */
export interface EndpointPlan {
  readonly tenantId: string;
  readonly url: string;
}

/** An event to publish. */
export interface BenchEvent {
  /** `evt_…`; what the receiver gets in the header that names the event. */
  readonly id: string;
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
}

/** Something that delivers webhooks, running and under test. Each of its calls has a deadline. */
export interface Side {
  /** Such as `Parcelway, embedded`. */
  readonly name: string;
  /** Registers endpoints, each the only one of its tenant. */
  register(endpoints: readonly EndpointPlan[]): Promise<void>;
  /** Publishes one event; resolves once it is accepted for good. @throws Error when that is not known */
  publish(event: BenchEvent): Promise<void>;
  /** What it has used since it was started, with its stores and brokers. */
  usage(): Promise<Usage>;
  /** Kills the process with the queue (SIGKILL) and starts it again; resolves when it is ready. */
  killAndRestart(): Promise<void>;
  /** Ends it and clears everything away. */
  close(): Promise<void>;
}

/** A way to have a side for a load: each load gets one that is new and empty. */
export interface SideKind {
  /** Header in which deliveries name the event, lower case. */
  readonly idHeader: string;
  open(): Promise<Side>;
  /** CPU time of servers that all its sides share, microseconds; undefined when there are none. */
  serverMicroseconds(): Promise<number | undefined>;
  /** Ends what all its sides share. */
  close(): Promise<void>;
}
