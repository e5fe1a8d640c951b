import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Attributes = ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, string | number | boolean>> }>;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined or empty for a root. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer (opentelemetry-proto, trace/v1). */
  readonly kind: number;
}

/** Body of `POST /v1/traces` in JSON, as far as it is read here. */
interface ExportRequest {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span & { readonly attributes?: Attributes }> }>;
  }>;
}

/** Attributes by name. A value has one member, such as `intValue`. */
const record = (attributes: Attributes = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, 'intValue' in value ? Number(value['intValue']) : Object.values(value)[0]]));

/** Spans with the service that they are of. */
const spansIn = (body: string) =>
  (JSON.parse(body) as ExportRequest).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(record(resource.attributes)['service.name']);
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, service, attributes: record(span.attributes) }));
  });

export type CollectedSpan = ReturnType<typeof spansIn>[number];

/** Starts a collector of traces: a server on loopback that takes OTLP over HTTP in JSON. */
export async function startOtlpCollector() {
  /** All that came, as it came. */
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const body = await text(req);
    if (req.url === '/v1/traces') bodies.push(body);
    res.writeHead(req.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    bodies,
    /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trace: (traceId: string): readonly CollectedSpan[] => bodies.flatMap(spansIn).filter((span) => span.traceId === traceId),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
