import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Logger } from '@parcelway/kernel/logger';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { openTelemetry, type Telemetry, type TelemetryOptions } from '@parcelway/telemetry/telemetry';
import { type Environ, list, loadConfig, port, type Reader, text } from './config.ts';
import { lostLogLines } from './log-output.ts';
import { version } from './version.ts';

const collector: Reader<string | undefined> = (value) => {
  if (value === undefined) return undefined;
  if (!/^https?:$/.test(parseUrl(value)?.protocol ?? '')) {
    throw new Error('must be the base address of an OTLP collector, such as http://otel-collector:4318');
  }
  return value;
};

/** A header of the collector; its value is percent-encoded (OpenTelemetry, OTLP exporter configuration). */
function headerOf(pair: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*=\s*(.*)$/.exec(pair) ?? [];
  try {
    if (name !== undefined && value !== undefined) return [name, decodeURIComponent(value)];
  } catch {
    // Not well encoded: the same sentence, which does not show the value, for it may be a secret.
  }
  throw new Error('must list headers as name=value, percent-encoded and separated by commas');
}

const headerPairs: Reader<Readonly<Record<string, string>>> = (value) => Object.fromEntries(list(value).map(headerOf));

const share: Reader<number> = (value) => {
  const number = Number(value ?? '1');
  if (!(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1: the share of traces that are recorded');
  return number;
};

/** OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER_ARG: where traces go, as OpenTelemetry names it. */
export function readTraces(env: Environ): TelemetryOptions['traces'] {
  const config = loadConfig(env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: headerPairs,
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return { endpoint, headers: config.OTEL_EXPORTER_OTLP_HEADERS, ratio: config.OTEL_TRACES_SAMPLER_ARG };
}

const hostNames: Reader<readonly string[]> = (value) => {
  const names = list(value);
  if (names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name))) return names;
  throw new Error('must list host names without port, such as parcelway.example.internal, separated by commas');
};

/** ADMIN_HOST and ADMIN_PORT: where the admin server of a process listens; port 0 takes a free one. ADMIN_ALLOWED_HOSTS: names by which it is called. */
export function readAdminAddress(env: Environ) {
  const config = loadConfig(env, { ADMIN_HOST: text('127.0.0.1'), ADMIN_PORT: port(0), ADMIN_ALLOWED_HOSTS: hostNames });
  return { host: config.ADMIN_HOST, port: config.ADMIN_PORT, allowedHosts: config.ADMIN_ALLOWED_HOSTS };
}

/** Opens the telemetry of this process. @param service whose metrics count the lines that the process could not log */
export async function openProcessTelemetry(traces: TelemetryOptions['traces'], logger: Logger, service: ServiceName): Promise<Telemetry> {
  const telemetry = await openTelemetry({ version, logger, traces });
  let counted = 0;
  telemetry.readWhenExposed(service, 'lost log lines', async () => {
    const lost = lostLogLines();
    telemetry.of(service).metrics.count('parcelway_log_lines_lost_total', {}, lost - counted);
    counted = lost;
  });
  return telemetry;
}
