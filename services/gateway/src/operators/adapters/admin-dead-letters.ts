import type { DeadLetter, PassOver } from '@parcelway/bus/bus';
import { DeadLetterQuery, type DeadLetterView, DiscardRequest, RedriveRequest } from '@parcelway/contracts/admin-api';
import { MAX_NAMED_FORECASTS, type NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { AppError } from '@parcelway/kernel/app-error';
import { platformPrincipal } from '../../proxy/domain/principals.ts';
import { type ForecastName, forecastOfDeadLetter } from '../domain/dead-letter-forecast.ts';
import type { AdminOptions, Respond } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';

const MAX_VALUE_CHARACTERS = 2000;

const redriveRequest = compileValidator(RedriveRequest);
const discardRequest = compileValidator(DiscardRequest);
const deadLetterQuery = compileValidator(DeadLetterQuery);

const KNOWN_TOPICS: readonly string[] = consumedTopics;

function assertKnownTopic(topic: string): void {
  if (KNOWN_TOPICS.includes(topic)) return;
  throw AppError.validation([{ field: 'topic', rule: 'enum', message: `topic must be one of ${KNOWN_TOPICS.join(', ')}` }]);
}

function viewDeadLetter({ topic, record, group, reason, failedAt }: DeadLetter): DeadLetterView {
  const { partition, offset, key, value } = record;
  const text = value === null ? null : Buffer.from(value).toString('utf8').slice(0, MAX_VALUE_CHARACTERS);
  return { topic, partition, offset, key, group, reason, failed_at: failedAt, value: text };
}

/** A text that no two forecasts share. */
const textOf = ({ tenant_id, forecast_no }: ForecastName): string => `${tenant_id}\n${forecast_no}`;

/**
 * Redrives the oldest dead letters of a topic, except those of forecasts that are deleted. Nobody else knows the latter for certain: the forecast service
 * has a forecast before anybody hears of it, and deletes it for good. A deletion between the look and the publication right behind it is not noticed.
 * @returns how many were published again, and how many were not because their forecast is deleted: they are not listed any more either
 * @throws AppError as `Bus.redrive`, and 50301 when the forecast service is out: then nothing was redriven
 */
export async function redriveDeadLetters(
  { bus, services, environment }: Pick<AdminOptions, 'services' | 'environment'> & { readonly bus: Pick<AdminOptions['bus'], 'redrive'> },
  topic: string,
  limit: number,
) {
  const call = {
    service: 'forecast',
    method: 'POST',
    path: '/internal/v1/forecasts/existing',
    principal: platformPrincipal(environment),
  } as const;
  let passed_over = 0;
  const passOver: PassOver = async (deadLetters) => {
    const named = deadLetters.flatMap((deadLetter) => {
      const forecast = forecastOfDeadLetter({ ...deadLetter, value: deadLetter.record.value });
      return forecast === undefined ? [] : [{ deadLetter, forecast }];
    });
    const asked = [...new Map(named.map(({ forecast }) => [textOf(forecast), forecast])).values()];
    const existing = new Set<string>();
    for (let from = 0; from < asked.length; from += MAX_NAMED_FORECASTS) {
      const body: NamedForecasts = { forecasts: asked.slice(from, from + MAX_NAMED_FORECASTS) };
      for (const forecast of (await services.call<NamedForecasts>({ ...call, body })).forecasts) existing.add(textOf(forecast));
    }
    const gone = named.filter(({ forecast }) => !existing.has(textOf(forecast)));
    passed_over = gone.length;
    return new Set(gone.map(({ deadLetter }) => deadLetter));
  };
  return { redriven: await bus.redrive(topic, limit, passOver), passed_over };
}

/** Operator routes for dead letters: list, redrive, discard. */
export function adminDeadLetterRoutes(options: AdminOptions) {
  const { bus } = options;
  return {
    'GET /admin/v1/dead-letters': async (req) => {
      const { topic, limit } = parseQuery(req, deadLetterQuery);
      assertKnownTopic(topic);
      return { dead_letters: (await bus.deadLetters(topic, Number(limit ?? 100))).map(viewDeadLetter) };
    },
    'POST /admin/v1/dead-letters/redrive': async (req) => {
      const { topic, limit } = redriveRequest.parse(req.body);
      assertKnownTopic(topic);
      return redriveDeadLetters(options, topic, limit ?? 1000);
    },
    'POST /admin/v1/dead-letters/discard': async (req) => {
      const { topic, dead_letters: named } = discardRequest.parse(req.body);
      assertKnownTopic(topic);
      const discarded = await bus.deleteDeadLetters(topic, named);
      return { discarded: discarded.length, dead_letters: discarded.map(viewDeadLetter) };
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
