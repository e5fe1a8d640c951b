import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it, with the service that it is of. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer (opentelemetry-proto, trace/v1). */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

type AnyValue = {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly boolValue?: boolean;
  readonly doubleValue?: number;
};
type KeyValue = { readonly key: string; readonly value: AnyValue };
type WireSpan = Omit<CollectedSpan, 'service' | 'attributes' | 'parentSpanId'> & {
  readonly parentSpanId?: string;
  readonly attributes?: readonly KeyValue[];
};

/** Body of `POST /v1/traces` in JSON, as far as it is read here. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

function plain({ stringValue, intValue, boolValue, doubleValue }: AnyValue): string | number | boolean {
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? boolValue ?? doubleValue ?? '';
}

const record = (attributes: readonly KeyValue[] = []): Record<string, string | number | boolean> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));

function spansIn({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(record(resource.attributes)['service.name']);
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, service, parentSpanId: span.parentSpanId ?? '', attributes: record(span.attributes) }));
  });
}

/** A collector of traces: a real server on loopback that takes OTLP over HTTP in JSON and keeps the spans. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  /** All that came, as it came. */
  readonly bodies: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        if (req.url !== '/v1/traces') {
          res.writeHead(404).end();
          return;
        }
        this.bodies.push(body);
        this.spans.push(...spansIn(JSON.parse(body) as ExportRequest));
        res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  /** Listens on a free loopback port. */
  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    await new Promise<void>((resolve, reject) => collector.#server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  trace(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
