import {
  ConfigError,
  choice,
  duration,
  type Environ,
  integer,
  loadConfig,
  optionalText,
  port,
  type Reader,
} from '@parcelway/platform/config';
import type { ArrivalTimeouts } from './proxy/domain/arrival-timeouts.ts';
import { lastLookAfter } from './tenants/domain/erasure.ts';

/** How this gateway listens and what it limits. */
export type GatewayConfig = ReturnType<typeof loadGatewayConfig>;

/** `given`: the operator's certificate; `own`: self-signed; `off`: a proxy in front ends TLS. */
type Tls = { readonly kind: 'given'; readonly certFile: string; readonly keyFile: string } | { readonly kind: 'own' | 'off' };

const longToken: Reader<string | undefined> = (value) => {
  if (value !== undefined && value.length < 16) throw new Error('must have at least 16 characters');
  return value;
};

/** A duration within bounds, both of them included; milliseconds. */
const durationWithin =
  (fallback: string, [least, most]: readonly [ms: number, ms: number], rule: string): Reader<number> =>
  (value) => {
    const ms = duration(fallback)(value);
    if (ms < least || ms > most) throw new Error(`must be ${rule}`);
    return ms;
  };

const arrivalTimeout = (fallback: string): Reader<number> => durationWithin(fallback, [500, 3_600_000], '500ms to 1h');

/** @throws ConfigError when requests that are under way may take longer */
function erasureSettleOf(settleMs: number | undefined, requestMs: number, environment: string | undefined): number {
  const least = lastLookAfter(requestMs);
  if (settleMs !== undefined && settleMs < least && environment === 'production')
    throw new ConfigError([`ERASURE_SETTLE must not be shorter than REQUEST_TIMEOUT and one minute, ${least / 1000}s`]);
  return settleMs ?? least;
}

const settleTime: Reader<number | undefined> = (value) =>
  value === undefined ? undefined : durationWithin('3m', [1000, 86_400_000], '1s to 24h')(value);

function arrivalTimeoutsOf(headersMs: number, requestMs: number): ArrivalTimeouts {
  if (headersMs > requestMs) throw new ConfigError(['HEADERS_TIMEOUT must not be longer than REQUEST_TIMEOUT']);
  return { headersMs, requestMs };
}

/**
 * Reads the gateway's variables: PORT, HOST, ADMIN_TOKEN, TLS, TLS_CERT_FILE, TLS_KEY_FILE,
 * RATE_LIMITS, MAX_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXY_HOPS, READ_STALL_TIMEOUT, HEADERS_TIMEOUT, REQUEST_TIMEOUT, ERASURE_SETTLE, ACCESS_LOG, QUICKSTART.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadGatewayConfig(env: Environ) {
  const read = loadConfig(env, {
    PORT: port(8443),
    HOST: optionalText,
    ADMIN_TOKEN: longToken,
    TLS: choice(['on', 'off'], 'on'),
    TLS_CERT_FILE: optionalText,
    TLS_KEY_FILE: optionalText,
    RATE_LIMITS: choice(['on', 'off'], 'on'),
    MAX_CONNECTIONS_PER_ADDRESS: integer(256, 0, 1_000_000),
    TRUSTED_PROXY_HOPS: integer(1, 1, 10),
    READ_STALL_TIMEOUT: durationWithin('30s', [1000, Number.POSITIVE_INFINITY], 'at least 1s'),
    HEADERS_TIMEOUT: arrivalTimeout('20s'),
    REQUEST_TIMEOUT: arrivalTimeout('2m'),
    ERASURE_SETTLE: settleTime,
    ACCESS_LOG: choice(['on', 'off'], 'off'),
    QUICKSTART: choice(['on', 'off'], 'on'),
  });
  return {
    port: read.PORT,
    /** Undefined: every address of the machine. */
    host: read.HOST,
    tls: tlsOf(read.TLS, read.TLS_CERT_FILE, read.TLS_KEY_FILE),
    limitRates: read.RATE_LIMITS === 'on',
    /** Connections that one address may have; 0: no limit. Does not count behind a proxy. */
    maxConnectionsPerAddress: read.MAX_CONNECTIONS_PER_ADDRESS,
    /** Proxies in a row in front of the gateway that append to X-Forwarded-For. */
    trustedProxyHops: read.TRUSTED_PROXY_HOPS,
    /** A client that reads nothing of its response for this long is ended; milliseconds. */
    readStallMs: read.READ_STALL_TIMEOUT,
    arrivalTimeouts: arrivalTimeoutsOf(read.HEADERS_TIMEOUT, read.REQUEST_TIMEOUT),
    /** How long after every service has remembered an erased tenant the last look for its data begins; milliseconds. */
    erasureSettleMs: erasureSettleOf(read.ERASURE_SETTLE, read.REQUEST_TIMEOUT, env['ENVIRONMENT']),
    accessLog: read.ACCESS_LOG === 'on',
    /** Undefined: generated at the first start and kept. */
    adminToken: read.ADMIN_TOKEN,
    /** True for the one gateway that makes the demo tenant of a sandbox and writes the files by which it is found. */
    quickstart: read.QUICKSTART === 'on',
  };
}

function tlsOf(mode: 'on' | 'off', certFile: string | undefined, keyFile: string | undefined): Tls {
  if (mode === 'off') {
    if (certFile !== undefined || keyFile !== undefined) throw new ConfigError(['TLS is off, and TLS_CERT_FILE or TLS_KEY_FILE is set']);
    return { kind: 'off' };
  }
  if (certFile !== undefined && keyFile !== undefined) return { kind: 'given', certFile, keyFile };
  if (certFile !== undefined) throw new ConfigError(['TLS_KEY_FILE is needed along with TLS_CERT_FILE']);
  if (keyFile !== undefined) throw new ConfigError(['TLS_CERT_FILE is needed along with TLS_KEY_FILE']);
  return { kind: 'own' };
}
