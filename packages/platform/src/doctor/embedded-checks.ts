import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { prefixOf } from '@parcelway/sqlite/database';
import type { SqliteInspector } from '@parcelway/sqlite/inspection';
import { isDamaged } from '@parcelway/sqlite/sqlite-errors';
import { sampleSqlite } from '@parcelway/store/sqlite/sqlite-sample';
import type { Environ } from '../config.ts';
import { DATABASE } from '../kept-stores.ts';
import type { ServiceStore } from '../service.ts';
import { count, describeBytes, listSome } from './amounts.ts';
import { type Check, type Report, reasonOf, Verdict } from './check.ts';
import { checkCertificate, reportExpiry } from './check-certificate.ts';
import { checkDocuments, type SampleOf } from './check-documents.ts';
import { reportDeadLetters } from './check-kafka.ts';

const QUICK_CHECK_MS = 60_000;
const LITTLE_BYTES = 2e9;
const TOO_LITTLE_BYTES = 200e6;
const LONG_LAG = 1000;

const RESTORE = 'Stop the platform, keep a copy of the directory as it is, and restore the last backup (docs/backup.md).';
/** For a file that may be whole: a restore would needlessly lose everything after the backup. */
const LOOK = 'Run this as the user that runs the platform. If it fails again, check the disk.';

async function checkDirectory(report: Report, directory: string): Promise<void> {
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    await writeFile(probe, 'doctor', { mode: 0o600 });
  } catch (error) {
    throw new Verdict(
      'data directory',
      `cannot write to ${directory}: ${reasonOf(error)}`,
      'Run this as the user that runs the platform, and make that user the owner of the directory.',
    );
  } finally {
    await rm(probe, { force: true });
  }
  const { mode } = await stat(directory);
  if ((mode & 0o077) === 0) report.ok('data directory', `${directory} is writable, only for its owner`);
  else
    report.warning(
      'data directory',
      `${directory} is open to other users of this machine`,
      `It holds keys and signing secrets. Run chmod 700 ${directory}`,
    );
}

async function checkDisk(report: Report, directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const message = `${describeBytes(free)} free`;
  const next =
    'Free space on the disk of the data directory. On a full disk writes fail with 50301 or 42207; no acknowledged write is lost.';
  if (free < TOO_LITTLE_BYTES) report.wrong('disk', message, next);
  else if (free < LITTLE_BYTES) report.warning('disk', message, next);
  else report.ok('disk', message);
}

/** Checks whether the database is whole, and then what is in it. */
function checkFile(directory: string, stores: readonly ServiceStore[]): Check {
  const check = 'database';
  return {
    name: check,
    deadlineMs: QUICK_CHECK_MS + 30_000,
    async run(report) {
      const path = join(directory, DATABASE);
      if (!existsSync(path))
        throw new Verdict(
          check,
          `${path} does not exist`,
          'The platform creates it at its first start. If it existed before, restore the last backup (docs/backup.md).',
        );
      const { SqliteInspector } = await import('@parcelway/sqlite/inspection');
      const file = new SqliteInspector(path);
      try {
        const { broken, tables, checked } = await file.quickCheck(performance.now() + QUICK_CHECK_MS);
        if (broken.length > 0) report.wrong(check, `damaged: ${listSome(broken, 2)}`, RESTORE);
        else if (checked < tables)
          report.warning(
            check,
            `${checked} of ${tables} tables are whole; the time limit left no time for the rest`,
            'Check the file with sqlite3 at a quiet time.',
          );
        else report.ok(check, `whole (${count(tables, 'table')})`);
        if (broken.length === 0) await checkDocuments(report, stores, samplesIn(file));
      } catch (error) {
        report.wrong(check, `cannot be read: ${reasonOf(error)}`, isDamaged(error) ? RESTORE : LOOK);
      } finally {
        file.close();
      }
    },
  };
}

/** A service that was never opened has no tables, so no documents. */
const samplesIn =
  (file: SqliteInspector): SampleOf =>
  (service, collection, options) => {
    const prefix = prefixOf(service);
    return file.has(prefix + collection.name)
      ? sampleSqlite((sql, ...values) => file.all(sql, ...values), collection, prefix, options)
      : [];
  };

function checkLog(directory: string): Check {
  return {
    name: 'message log',
    deadlineMs: 30_000,
    async run(report) {
      const path = join(directory, DATABASE);
      // A missing file is reported by the check before.
      if (!existsSync(path)) return;
      const { inspectEmbeddedLog } = await import('@parcelway/bus/embedded-inspection');
      const { deadLetters, lags } = inspectEmbeddedLog(path);
      const behind = lags.filter((lag) => lag.count > LONG_LAG);
      for (const lag of behind)
        report.warning(
          `consumer ${lag.group} of ${lag.topic}`,
          `${count(lag.count, 'message')} behind`,
          'Check again in a minute. If the lag grows, read the log of the platform.',
        );
      if (behind.length === 0) report.ok('consumers', `${count(lags.length, 'consumer')}, none far behind`);
      for (const { topic, count: waiting } of deadLetters) reportDeadLetters(report, topic, waiting);
      if (deadLetters.length === 0) report.ok('dead letters', 'none');
    },
  };
}

function checkOwnCertificate(env: Environ, directory: string): Check {
  if (env['TLS_CERT_FILE']) return checkCertificate({ TLS_CERT_FILE: env['TLS_CERT_FILE'], PUBLIC_BASE_URL: env['PUBLIC_BASE_URL'] });
  const name = 'certificate';
  return {
    name,
    deadlineMs: 8000,
    async run(report) {
      const file = join(directory, 'tls', 'cert.pem');
      if (!existsSync(file)) {
        report.ok(name, 'no own certificate: a proxy terminates TLS');
        if (env['PUBLIC_BASE_URL']) await checkCertificate(env).run(report);
        return;
      }
      // The platform replaces its own certificate when it starts within the last 30 days of it.
      reportExpiry(report, name, Date.parse(new X509Certificate(await readFile(file)).validTo), Date.now());
    },
  };
}

/**
 * The checks of an installation in embedded mode.
 * @param env reads DATA_DIR, TLS_CERT_FILE, PUBLIC_BASE_URL
 * @param stores what every service keeps; none where that is not known
 */
export function embeddedChecks(env: Environ, stores: readonly ServiceStore[] = []): readonly Check[] {
  const directory = resolve(env['DATA_DIR'] || './.data');
  const place: Check = {
    name: 'data directory',
    deadlineMs: 10_000,
    async run(report) {
      if (!existsSync(directory))
        throw new Verdict('data directory', `${directory} does not exist`, 'Set DATA_DIR to the data directory of the installation.');
      await checkDirectory(report, directory);
      await checkDisk(report, directory);
    },
  };
  if (!existsSync(directory)) return [place];
  return [place, checkFile(directory, stores), checkLog(directory), checkOwnCertificate(env, directory)];
}
