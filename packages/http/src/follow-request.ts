import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { parseTraceParent } from '@parcelway/telemetry/trace-parent';
import type { Span } from '@parcelway/telemetry/tracer';

/** Header of W3C Trace Context. */
export const TRACEPARENT_HEADER = 'traceparent';

/** The `traceparent` to pass on to all work that a request causes; undefined when its server does not follow requests. */
export function traceparentOf(req: IncomingMessage): string | undefined {
  const value = req.headers[TRACEPARENT_HEADER];
  return typeof value === 'string' ? value : undefined;
}

/** The trace id of a request, for log lines; undefined when there is none. */
export function traceIdOfRequest(req: IncomingMessage): string | undefined {
  return parseTraceParent(traceparentOf(req))?.traceId;
}

/** Status in metrics of a request whose client disconnected before the response; never sent. */
export const CLIENT_GONE = 499;

/** Requests are counted by the template of their route; this label stands for no match. */
const NO_ROUTE = 'none';

/** What is known of a request once it gets a response. */
export interface RespondedRequest {
  readonly method: string;
  /** Template of the route, such as `/open/v1/forecasts/{po_number}`; null when none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** Records a finished request in the metrics and ends its span. 5xx alone is a failure of the server. */
export function recordRequest(
  { metrics, tracer }: ServiceTelemetry,
  span: Span,
  { method, route, status, seconds }: RespondedRequest,
): void {
  const template = route ?? NO_ROUTE;
  const labels = { http_request_method: method, http_route: template, http_response_status_code: status };
  metrics.observe('http_server_request_duration_seconds', labels, seconds);
  if (!tracer.recording) return;
  const attributes = { 'http.request.method': method, 'http.route': template, 'http.response.status_code': status };
  span.end({ name: `${method} ${template}`, attributes, error: status >= 500 ? `HTTP ${status}` : undefined });
}

/** Methods with a label of their own; a client may send any word. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method of a request as a label: one of the known ones, or `_OTHER` (OpenTelemetry, HTTP spans). */
export function methodLabel(method: string | undefined): string {
  return method !== undefined && METHODS.has(method) ? method : '_OTHER';
}

const templates = new Map<string, string>();

/** Express' `/forecasts/:po_number` as the contracts write it: `/forecasts/{po_number}`. */
function templateOf(path: string): string {
  const known = templates.get(path) ?? path.replace(/:(\w+)/g, '{$1}');
  templates.set(path, known);
  return known;
}

/** Follows a request of a service from its arrival to the end of its response. Its `traceparent` is from then on that of its own span. */
export function followRequest(telemetry: ServiceTelemetry, req: IncomingMessage, res: ServerResponse): void {
  const startedAt = performance.now();
  const method = methodLabel(req.method);
  const span = telemetry.tracer.start(method, { kind: 'server', parent: traceparentOf(req) });
  req.headers[TRACEPARENT_HEADER] = span.traceparent;
  telemetry.metrics.add('http_server_active_requests', {}, 1);
  res.once('close', () => {
    telemetry.metrics.add('http_server_active_requests', {}, -1);
    // Express leaves the matched route on the request.
    const { route } = req as { readonly route?: { readonly path?: unknown } };
    recordRequest(telemetry, span, {
      method,
      route: typeof route?.path === 'string' ? templateOf(route.path) : null,
      // What nobody received is no success, whatever it was going to say.
      status: res.writableFinished ? res.statusCode : CLIENT_GONE,
      seconds: (performance.now() - startedAt) / 1000,
    });
  });
}
