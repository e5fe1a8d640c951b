import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { exitCodes } from '@parcelway/cli/cli-error';
import { adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { ForecastCorrection, fixedFields } from '@parcelway/contracts/forecast-correction-api';
import { routes } from '@parcelway/contracts/routes';
import { Simulation, simulationSteps } from '@parcelway/contracts/sandbox-api';
import { serviceNames } from '@parcelway/contracts/service-name';
import { TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { compileValidator } from '@parcelway/contracts/validator';
import { warehouseEventTypes } from '@parcelway/contracts/warehouse-api';
import { attemptErrorCodes, nextAttemptReasons } from '@parcelway/contracts/webhook-delivery-api';
import { adminPaths } from '@parcelway/platform/admin-server';
import { originVariable } from '@parcelway/platform/distributed-config';
import { secretVariables } from '@parcelway/platform/secret-files';
import { backServices, gateway } from '../../../services/all-in-one/src/services.ts';
import { adminRoutes as rolesByRoute } from '../../../services/gateway/src/operators/adapters/admin-routes.ts';
import { DEFAULT_RATES } from '../../../services/gateway/src/proxy/domain/rate-limits.ts';
import { documentRoutes } from '../../../services/gateway/src/site/adapters/http-docs.ts';
import { beginErasure, finished, viewErasure } from '../../../services/gateway/src/tenants/domain/erasure.ts';
import { DEFAULT_SCHEDULE } from '../../../services/tracking/src/watch/domain/schedule.ts';
import { DEFAULT_SCHEDULE_TEXT } from '../../../services/webhook/src/dispatch/domain/retry-schedule.ts';
import { sign as signWebhook } from '../../../services/webhook/src/endpoints/domain/signed-headers.ts';
import { read, root, rowsOf, section } from './testing/documents.ts';

/* Facts that documents state in words and tables written by hand. */

const merchants = read('docs/merchants.md');
const webhooks = read('docs/webhooks.md');
const warehouses = read('docs/warehouses.md');
const operations = read('docs/operations.md');
const distributed = read('docs/distributed.md');
const architecture = read('docs/architecture.md');

/** Names in code font in the first cell of the rows of a text. */
const firstCells = (markdown: string): string[] => rowsOf(markdown).flatMap(([first = '']) => /^`([^`]+)`/.exec(first)?.[1] ?? []);

/** Routes that a document names in code font, such as `GET /open/v1/forecasts`; parameters and queries as written. */
function routesIn(markdown: string): string[] {
  const prose = markdown.replace(/<!-- generated:[\s\S]*?<!-- end:/g, '');
  return [...prose.matchAll(/`(GET|POST|PATCH|DELETE) (\/[^`?\s]*)/g)].map(([, method, path]) => `${method} ${path}`);
}

/** Routes of the admin API as documents write them. */
const adminRoutes = Object.keys(rolesByRoute).map((route) => route.replace(/:keyId/, '{key_id}').replace(/:([a-z_]+)/g, '{$1}'));

const published = [
  ...[...routes, ...documentRoutes].map(({ method, path }) => `${method} ${path}`),
  ...adminPaths.map((path) => `GET ${path}`),
];

describe.each(Object.entries({ merchants, webhooks, warehouses, operations, distributed, architecture }))('%s', (_name, markdown) => {
  test('every route that is named exists', () => {
    expect(routesIn(markdown).filter((route) => !published.includes(route) && !adminRoutes.includes(route))).toEqual([]);
  });

  test('every example in JSON is JSON', () => {
    const blocks = [...markdown.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
    for (const block of blocks) expect(() => JSON.parse(block)).not.toThrow();
  });
});

describe('configuration', () => {
  interface Variable {
    readonly name: string;
    /** Default as the code writes it, where a reader of platform/config says it. */
    readonly fallback: string | undefined;
  }

  /** From the opening bracket at `start` to the one that closes it. */
  function balanced(source: string, start: number): string {
    let depth = 0;
    for (let index = start; index < source.length; index += 1) {
      if ('({['.includes(source[index] as string)) depth += 1;
      if (')}]'.includes(source[index] as string)) depth -= 1;
      if (depth === 0) return source.slice(start, index + 1);
    }
    throw new Error('A bracket is not closed');
  }

  /** Variables that the calls of loadConfig in a source read. */
  function variablesIn(source: string): Variable[] {
    const calls = [...source.matchAll(/\bloadConfig(?:<[^(]*>)?(?=\()/g)].map((match) => balanced(source, match.index + match[0].length));
    return calls.flatMap((call) =>
      [...call.matchAll(/\b([A-Z][A-Z0-9_]+): ?/g)].map((match) => {
        const name = match[1];
        const reader = call.slice(match.index + match[0].length);
        const simple = /^(?:integer|port)\(([\d_]+)|^(?:duration|text)\('([^']*)'|^choice\([^\n]*?, '([^']*)'\)/.exec(reader);
        return { name: name as string, fallback: (simple?.[1]?.replaceAll('_', '') ?? simple?.[2]) || simple?.[3] };
      }),
    );
  }

  // Samples of the documentation read a variable of the reader.
  const sources = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          /^[^/]+\/src\/.*\.ts$/.test(name) &&
          !/\.(test|conformance)\.ts$|\/testing\/|^harness\/|^docs-site\/src\/build\/samples\//.test(name),
      )
      .map((name) => read(join(folder, name))),
  );
  const table = [operations, distributed].flatMap((markdown) => rowsOf(section(markdown, 'Configuration')));
  const documented = new Map(table.flatMap(([name = '', fallback = '']) => (/^`[A-Z]/.test(name) ? [[name.slice(1, -1), fallback]] : [])));
  const declared = sources.flatMap(variablesIn);
  const direct = sources.flatMap((source) => [...source.matchAll(/\bprocess\.env(?:\.|\[')([A-Z][A-Z0-9_]+)/g)].map((match) => match[1]));

  /** Services that another calls: each has a variable that says where it is. */
  const called = new Set([...backServices, gateway].flatMap(({ calls }) => calls));

  test('the table names every variable that is read, and no other', () => {
    const origins = serviceNames.filter((name) => called.has(name)).map(originVariable);
    const names = new Set([...declared.map(({ name }) => name), ...direct, ...origins]);
    expect([...documented.keys()].sort()).toEqual([...names].sort());
  });

  test('the table states the defaults of the code', () => {
    const wrong = declared.filter(({ name, fallback }) => fallback !== undefined && documented.get(name) !== `\`${fallback}\``);
    expect(wrong).toEqual([]);
    expect(documented.get('WEBHOOK_RETRY_SCHEDULE')).toBe(`\`${DEFAULT_SCHEDULE_TEXT}\``);
    expect(documented.get('TRACKING_POLL_SCHEDULE')).toBe(`\`${DEFAULT_SCHEDULE}\``);
  });

  test('retention states the same days', () => {
    const retention = section(operations, 'Retention');
    for (const { name, fallback } of declared)
      if (name.endsWith('_RETENTION_DAYS') && fallback !== undefined) expect(retention).toContain(`\`${name}\`, ${fallback}`);
    expect(retention).toContain(`| Messages of the log | ${TOPIC_RETENTION_DAYS} days`);
  });
});

describe('merchants', () => {
  test('the rate limits are those of the code', () => {
    const [table = ''] = section(merchants, 'Rate limits').split('What you can use at the same time');
    const rows = rowsOf(table).slice(2);
    const limits = Object.entries(DEFAULT_RATES).map(([name, { perSecond, burst }]) => [name, String(perSecond), String(burst)]);
    expect(rows).toEqual(limits);
  });

  test('every admin_status is explained, in order, and the terminal ones are marked', () => {
    const rows = rowsOf(section(merchants, 'Tracking query')).slice(2);
    expect(rows.map(([name = '']) => name.replaceAll('`', ''))).toEqual([...adminStatuses]);
    for (const [name = '', meaning = ''] of rows) {
      expect([name, meaning.includes('Terminal')]).toEqual([name, isTerminalAdminStatus(name.replaceAll('`', ''))]);
    }
  });

  test('every step of a simulation is explained', () => {
    const text = section(merchants, 'Sandbox and simulations');
    expect(firstCells(text)).toEqual(['step', ...simulationSteps]);
    const unnamed = Object.keys(Simulation.properties).filter((field) => field !== 'po_number' && !text.includes(`\`${field}\``));
    expect(unnamed).toEqual([]);
  });
});

describe('webhooks', () => {
  test('the schedule is the one of the code', () => {
    const [attempts = [], , waits = []] = rowsOf(section(webhooks, 'Retries'));
    expect(waits.slice(1)).toEqual(DEFAULT_SCHEDULE_TEXT.split(','));
    expect(attempts.slice(1)).toEqual(waits.slice(1).map((_wait, index) => String(index + 1)));
  });

  test('the signature to try is one that the sender would make', () => {
    const value = (name: string): string => new RegExp(`^${name} +(.+)$`, 'm').exec(webhooks)?.[1] ?? '';
    const signature = signWebhook(value('secret'), value('webhook-id'), Number(value('webhook-timestamp')), value('body'));
    expect(value('webhook-signature')).toBe(signature);
  });
});

test('distributed: every secret may be a file, and every process is listed with what it calls', () => {
  expect([...section(distributed, 'Secrets').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name).sort()).toEqual(
    [...secretVariables].sort(),
  );
  const rows = rowsOf(section(distributed, 'What runs')).slice(2);
  const listed = rows.map(([name = '', , calls = '']) => [name.replaceAll('`', ''), calls]);
  for (const { name, calls } of [gateway, ...backServices]) {
    const text = listed.find(([other]) => other === name)?.[1];
    if (name !== 'gateway') expect([...(text ?? '').matchAll(/`([^`]+)`/g)].map(([, other]) => other)).toEqual([...calls]);
  }
  expect(listed).toHaveLength(1 + backServices.length);
});

test('warehouses: the effect of every event is described', () => {
  expect(firstCells(section(warehouses, 'What an event does'))).toEqual([...warehouseEventTypes]);
});

test('distributed: the user of MongoDB is given a role on the database of every service', () => {
  const [, list = ''] = /const services = \[(.*)\];/.exec(section(distributed, "Rights of the servers' users")) ?? [];
  const named = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  expect(named.sort()).toEqual([...serviceNames].sort());
});

test('merchants: the page states until when each field of a forecast can be corrected, and which fields null removes', () => {
  const correcting = section(merchants, 'Correcting a forecast');
  const names = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name).sort();
  const rows = rowsOf(correcting).map(([fields = '']) => fields);
  expect(names(rows.join())).toEqual([...Object.keys(ForecastCorrection.properties), ...fixedFields].sort());
  const [, removed = ''] = /`null` removes (.+?);/.exec(correcting) ?? [];
  const acceptNull = compileValidator(ForecastCorrection);
  const removable = Object.keys(ForecastCorrection.properties).filter((name) => acceptNull.errors({ [name]: null }).length === 0);
  expect(names(removed)).toEqual(removable.sort());
});

test('operations: how parcelctl ends is stated as it is', () => {
  const rows = rowsOf(section(operations, 'Tenants, keys, warehouses: parcelctl')).filter(([code = '']) => /^\d+$/.test(code));
  expect(rows.map(([code]) => Number(code))).toEqual(Object.values(exitCodes));
});

test('the page on webhooks explains every reason of a next attempt and every code of a failed one', () => {
  const explained = firstCells(section(webhooks, 'Retries'));
  const reasons = [...nextAttemptReasons].sort((a, b) => explained.indexOf(a) - explained.indexOf(b));
  expect(explained).toEqual(['next_attempt_reason', ...reasons, 'error_code', ...attemptErrorCodes]);
});

test('the table of what remains after an erasure has every row of the report', () => {
  const { remains } = viewErasure(finished(beginErasure('tnt_a', 0), 2, 0), 0);
  const reported = remains.map(({ what }) => what.replace(/^\d+ /, ''));
  expect(reported.length).toBeGreaterThan(9);
  // Without marks, and up to the first comma, colon or bracket.
  const [table = ''] = /\n\| Remains \|(?:.+\n)+/.exec(read('docs/operate.md')) ?? [];
  const guide = rowsOf(table).map(([first = '']) => first.split(/[,:(]/)[0]?.replaceAll('`', '').trim().toLowerCase());
  expect(reported.filter((what) => !guide.includes(what))).toEqual([]);
});
