import { newTraceParent, passableTraceParent } from './trace-parent.ts';

/** What a span is about (OpenTelemetry's span kinds). */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Facts about a span, named by OpenTelemetry's semantic conventions. Never a key, a secret or a document. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** How a span begins. */
export interface SpanStart {
  readonly kind: SpanKind;
  /** `traceparent` of what caused it; anything else begins a new trace. */
  readonly parent?: string | undefined;
  readonly attributes?: SpanAttributes;
  /** When it began, of work that is over; epoch milliseconds. Default now. */
  readonly startedAt?: number;
}

/** A piece of work in a trace. */
export interface Span {
  /** The value to pass on to all work that this causes. Always a valid `traceparent`. */
  readonly traceparent: string;
  end(outcome?: SpanEnd): void;
}

/** What is known at the end of a span. */
export interface SpanEnd {
  /** A better name than at the start. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  /** Why it failed, without anything of the request in it. */
  readonly error?: string | undefined;
}

/** Begins spans for one service. */
export interface Tracer {
  /** True when spans are recorded: worth collecting attributes for. */
  readonly recording: boolean;
  start(name: string, start: SpanStart): Span;
}

const end = (): void => undefined;

/** Records nothing. Passes on a given `traceparent` and creates one otherwise, so that log lines can be correlated. */
export const passingTracer: Tracer = {
  recording: false,
  start: (_name, { parent }) => ({
    traceparent: passableTraceParent(parent) ?? newTraceParent(),
    end,
  }),
};
