import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { parseUrl } from '@parcelway/kernel/parse-url';
import type { Environ } from '../config.ts';
import { describeMs } from './amounts.ts';
import { type Check, type Report, reasonOf } from './check.ts';

const CONNECT_MS = 5000;
const DAY_MS = 86_400_000;
const SOON_MS = 21 * DAY_MS;

interface Served {
  readonly validTo: number;
  /** Why a client would not trust it; undefined when it would. */
  readonly distrust: string | undefined;
}

/** The certificate that is served at an address. */
function fetchCertificate(url: URL): Promise<Served> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    // The expiry date is reported for any certificate, trusted or not.
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) };
    const socket = connect(options, () => {
      const { valid_to } = socket.getPeerCertificate();
      resolve({ validTo: Date.parse(valid_to), distrust: socket.authorized ? undefined : String(socket.authorizationError) });
      socket.destroy();
    });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`no response within ${CONNECT_MS / 1000} s`)));
    socket.once('error', reject);
  });
}

/** Reports when a certificate expires. `now` in epoch milliseconds. */
export function reportExpiry(report: Report, check: string, validTo: number, now: number): void {
  const left = validTo - now;
  const until = new Date(validTo).toISOString().slice(0, 10);
  if (left <= 0)
    report.wrong(
      check,
      `expired on ${until}: clients refuse to connect`,
      'Renew it and restart the gateway if the gateway serves it itself.',
    );
  else if (left < SOON_MS)
    report.warning(
      check,
      `expires on ${until}, in ${describeMs(left)}`,
      'Renew it before that, and restart the gateway if the gateway serves it itself.',
    );
  else report.ok(check, `valid until ${until}`);
}

async function checkFile(report: Report, file: string): Promise<void> {
  try {
    const { validTo } = new X509Certificate(await readFile(file));
    reportExpiry(report, 'certificate TLS_CERT_FILE', Date.parse(validTo), Date.now());
  } catch (error) {
    report.wrong(
      'certificate TLS_CERT_FILE',
      `cannot read ${file}: ${reasonOf(error)}`,
      'It must be a certificate chain in PEM, readable by the gateway.',
    );
  }
}

async function checkServed(report: Report, baseUrl: string): Promise<void> {
  const check = 'certificate PUBLIC_BASE_URL';
  const url = parseUrl(baseUrl);
  if (url?.protocol !== 'https:') {
    report.wrong(check, 'PUBLIC_BASE_URL is not an https:// address', 'Set it to the address under which merchants reach the gateway.');
    return;
  }
  try {
    const { validTo, distrust } = await fetchCertificate(url);
    reportExpiry(report, check, validTo, Date.now());
    if (distrust !== undefined)
      report.warning(
        `${check} trust`,
        `not trusted from here: ${distrust}`,
        'Use a certificate of a public authority with its whole chain. The certificate that the platform makes is for trials only.',
      );
  } catch (error) {
    report.warning(
      check,
      `${url.origin} does not respond from here: ${reasonOf(error)}`,
      'Check from outside that merchants can reach it. From within a cluster it may be unreachable.',
    );
  }
}

/** Checks the certificate in TLS_CERT_FILE and the one that PUBLIC_BASE_URL serves to merchants. */
export function checkCertificate(env: Environ): Check {
  return {
    name: 'certificate',
    deadlineMs: 8000,
    async run(report) {
      const { TLS_CERT_FILE: file, PUBLIC_BASE_URL: baseUrl } = env;
      if (file) await checkFile(report, file);
      if (baseUrl) await checkServed(report, baseUrl);
      if (!file && !baseUrl)
        report.warning(
          'certificate',
          'not checked: neither TLS_CERT_FILE nor PUBLIC_BASE_URL is set here',
          'Run this with the environment variables of gateway.',
        );
    },
  };
}
