import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serviceNames } from '@parcelway/contracts/service-name';
import { isDamaged } from '@parcelway/sqlite/sqlite-errors';
import type { Environ } from '../config.ts';
import { count, describeBytes, listSome } from './amounts.ts';
import { type Check, reasonOf, type Tell, Verdict } from './check.ts';
import { checkCertificate, tellOfExpiry } from './check-certificate.ts';
import { tellOfDeadLetters } from './check-kafka.ts';
import { tellOfOutbox } from './outbox-findings.ts';

const QUICK_CHECK_MS = 60_000;
const LITTLE_BYTES = 2e9;
const TOO_LITTLE_BYTES = 200e6;
const LONG_LAG = 1000;

const RESTORE = 'Stop the platform, keep a copy of the directory as it is, and restore the last backup (docs/backup.md).';
/** Of a file that is not known to be damaged: a restore would lose what came after the backup for nothing. */
const LOOK = 'Run this as the user that runs the platform, and look at the disk; then run it again.';

async function checkDirectory(tell: Tell, directory: string): Promise<void> {
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    await writeFile(probe, 'doctor', { mode: 0o600 });
  } catch (error) {
    throw new Verdict(
      'data directory',
      `${directory} cannot be written to: ${reasonOf(error)}`,
      'Run this as the user that runs the platform, and give that user the directory.',
    );
  } finally {
    await rm(probe, { force: true });
  }
  const { mode } = await stat(directory);
  if ((mode & 0o077) === 0) tell.ok('data directory', `${directory} is writable, for its owner alone`);
  else
    tell.warning(
      'data directory',
      `${directory} is open to other users of this machine`,
      `Keys and signing secrets are in it: chmod 700 ${directory}`,
    );
}

async function checkDisk(tell: Tell, directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const message = `${describeBytes(free)} free`;
  const next = 'Make room on the disk of the data directory. A full disk refuses writes with 50301 or 42207; nothing acknowledged is lost.';
  if (free < TOO_LITTLE_BYTES) tell.wrong('disk', message, next);
  else if (free < LITTLE_BYTES) tell.warning('disk', message, next);
  else tell.ok('disk', message);
}

/** The file of one service: whole, and its outbox. */
function checkFile(directory: string, name: string): Check {
  const check = `database ${name}`;
  return {
    name: check,
    deadlineMs: QUICK_CHECK_MS + 30_000,
    async run(tell) {
      const path = join(directory, `${name}.db`);
      if (!existsSync(path))
        throw new Verdict(
          check,
          `${path} does not exist`,
          'The platform makes it at its first start; if it was there before, restore the last backup (docs/backup.md).',
        );
      const { SqliteInspector } = await import('@parcelway/sqlite/inspection');
      const file = new SqliteInspector(path);
      try {
        const { broken, tables, checked } = await file.quickCheck(performance.now() + QUICK_CHECK_MS);
        if (broken.length > 0) tell.wrong(check, `damaged: ${listSome(broken, 2)}`, RESTORE);
        else if (checked < tables)
          tell.warning(
            check,
            `${checked} of ${tables} tables are whole; there was no time for the rest`,
            'Check the file with sqlite3 while there is little to do.',
          );
        else tell.ok(check, `whole (${count(tables, 'table')})`);
        const waiting = file.outbox();
        if (waiting !== undefined) tellOfOutbox(tell, name, { ...waiting, what: 'message' }, Date.now());
      } catch (error) {
        tell.wrong(check, `cannot be read: ${reasonOf(error)}`, isDamaged(error) ? RESTORE : LOOK);
      } finally {
        file.close();
      }
    },
  };
}

function checkLog(directory: string): Check {
  return {
    name: 'message log',
    deadlineMs: 30_000,
    async run(tell) {
      const path = join(directory, 'bus.db');
      // That it lacks is told with the databases.
      if (!existsSync(path)) return;
      const { inspectEmbeddedLog } = await import('@parcelway/bus/embedded-inspection');
      const { deadLetters, lags } = inspectEmbeddedLog(path);
      const behind = lags.filter((lag) => lag.count > LONG_LAG);
      for (const lag of behind)
        tell.warning(
          `consumer ${lag.group} of ${lag.topic}`,
          `${count(lag.count, 'message')} behind`,
          'Look again in a minute; when it grows, see what the log of the platform says.',
        );
      if (behind.length === 0) tell.ok('consumers', `${count(lags.length, 'consumer')}, none far behind`);
      for (const { topic, count: waiting } of deadLetters) tellOfDeadLetters(tell, topic, waiting);
      if (deadLetters.length === 0) tell.ok('dead letters', 'none');
    },
  };
}

function checkOwnCertificate(env: Environ, directory: string): Check {
  if (env['TLS_CERT_FILE']) return checkCertificate({ TLS_CERT_FILE: env['TLS_CERT_FILE'], PUBLIC_BASE_URL: env['PUBLIC_BASE_URL'] });
  const name = 'certificate';
  return {
    name,
    deadlineMs: 8000,
    async run(tell) {
      const file = join(directory, 'tls', 'cert.pem');
      if (!existsSync(file)) {
        tell.ok(name, 'none of its own: TLS ends at a proxy');
        if (env['PUBLIC_BASE_URL']) await checkCertificate(env).run(tell);
        return;
      }
      // The platform makes another at a start in its last 30 days.
      tellOfExpiry(tell, name, Date.parse(new X509Certificate(await readFile(file)).validTo), Date.now());
    },
  };
}

/** The checks of an installation in embedded mode. @param env reads DATA_DIR, TLS_CERT_FILE, PUBLIC_BASE_URL */
export function embeddedChecks(env: Environ): readonly Check[] {
  const directory = resolve(env['DATA_DIR'] || './.data');
  const place: Check = {
    name: 'data directory',
    deadlineMs: 10_000,
    async run(tell) {
      if (!existsSync(directory))
        throw new Verdict('data directory', `${directory} does not exist`, 'Set DATA_DIR to the data directory of the installation.');
      await checkDirectory(tell, directory);
      await checkDisk(tell, directory);
    },
  };
  if (!existsSync(directory)) return [place];
  const files = [...serviceNames, 'bus'].map((name) => checkFile(directory, name));
  return [place, ...files, checkLog(directory), checkOwnCertificate(env, directory)];
}
