import {
  type Attributes,
  SpanKind as OtelKind,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import { formatTraceParent, parseTraceParent } from './trace-parent.ts';
import type { SpanAttributes, SpanKind, Tracer } from './tracer.ts';

/** Where spans go. */
export interface OtlpOptions {
  /** Base address of a collector, such as `http://otel-collector:4318`; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Share of traces that are recorded, 0 to 1: decided by the trace id, so that all processes with the same share decide alike. */
  readonly ratio: number;
  readonly version: string;
  readonly logger: Logger;
}

/** Spans that wait to be exported; further ones are dropped, for telemetry never holds up the work. */
const MAX_QUEUED = 4096;
const EXPORT_TIMEOUT_MS = 5000;
const EXPORT_EVERY_MS = 1000;

const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
  internal: OtelKind.INTERNAL,
};

/** For the last spans, when the process stops: a collector that hangs must not hold it up. */
const CLOSE_MS = 1000;

function present(attributes: SpanAttributes | undefined): Attributes {
  return Object.fromEntries(Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined)) as Attributes;
}

function contextOf(parent: string | undefined) {
  const known = parseTraceParent(parent);
  if (known === undefined) return ROOT_CONTEXT;
  // What the flags of a stranger say is not asked: how much is recorded is decided here.
  return trace.setSpanContext(ROOT_CONTEXT, { ...known, traceFlags: TraceFlags.NONE, isRemote: true });
}

function tracerOver(tracer: OtelTracer): Tracer {
  return {
    recording: true,
    start(name, { kind, parent, attributes, startedAt }) {
      const options = { kind: kinds[kind], attributes: present(attributes), ...(startedAt === undefined ? {} : { startTime: startedAt }) };
      const span = tracer.startSpan(name, options, contextOf(parent));
      const context = span.spanContext();
      return {
        traceparent: formatTraceParent(context, (context.traceFlags & TraceFlags.SAMPLED) !== 0),
        end({ name: better, attributes: more, error } = {}) {
          if (better !== undefined) span.updateName(better);
          if (more !== undefined) span.setAttributes(present(more));
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
          span.end();
        },
      };
    },
  };
}

/** Logs once when the collector does not accept spans, and once when it accepts them again. */
function logLoss(exporter: SpanExporter, logger: Logger): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error === undefined && lost > 0) logger.info({ lost }, 'The collector accepts spans again');
        if (result.error !== undefined && lost === 0)
          logger.warn({ err: result.error }, 'The collector does not accept spans; they are dropped');
        lost = result.error === undefined ? 0 : lost + spans.length;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Exports spans of services by OTLP over HTTP, in the background. Without a reachable collector only spans are lost. */
export function openOtlpTracing({ endpoint, headers, ratio, version, logger }: OtlpOptions) {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor(logLoss(exporter, logger), {
    maxQueueSize: MAX_QUEUED,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const tracerOf = (service: string): Tracer => {
    const provider = new BasicTracerProvider({
      // One resource per service, also where several share a process.
      resource: resourceFromAttributes({ 'service.namespace': 'parcelway', 'service.name': service, 'service.version': version }),
      sampler: new TraceIdRatioBasedSampler(ratio),
      spanProcessors: [processor],
    });
    return tracerOver(provider.getTracer('parcelway', version));
  };
  return {
    of: tracerOf,
    /** Exports what is queued, within a second. */
    async close(): Promise<void> {
      try {
        await within(CLOSE_MS, processor.shutdown(), () => new Error(`No response within ${CLOSE_MS} ms`));
      } catch (error) {
        logger.warn({ err: error }, 'The last spans could not be exported');
      }
    },
  };
}
