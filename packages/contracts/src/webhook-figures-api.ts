import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { day, nullable } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** Days that the figures of an endpoint can be asked for at once. */
export const MAX_FIGURE_DAYS = 92;

/** Query of the figures of an endpoint. */
export const EndpointFiguresQuery = object('EndpointFiguresQuery', {
  from_date: Type.Optional(day('First day, UTC; default: 30 days before `to_date`')),
  to_date: Type.Optional(day(`Last day, UTC, at most ${MAX_FIGURE_DAYS - 1} days after \`from_date\`; default: today`)),
});
export type EndpointFiguresQuery = Static<typeof EndpointFiguresQuery>;

const figures = {
  attempts: Type.Integer({ description: 'Attempts to deliver an event; tests are not counted' }),
  succeeded: Type.Integer({ description: 'Those with a response of 200 to 299 in time' }),
  failed: Type.Integer({ description: 'All others' }),
  duration_ms_median: nullable(
    Type.Integer({ description: 'Half of the attempts took no longer, milliseconds, up to 19 % too high; null without attempts' }),
  ),
  duration_ms_p95: nullable(Type.Integer({ description: '95 of 100 attempts took no longer, just as exact; null without attempts' })),
};

/** What became of the attempts of a day. */
export const EndpointFiguresOfDay = object('EndpointFiguresOfDay', { date: day('Day, UTC'), ...figures });
export type EndpointFiguresOfDay = Static<typeof EndpointFiguresOfDay>;

/** What became of the attempts of several days. */
export const EndpointFiguresTotal = object('EndpointFiguresTotal', figures);
export type EndpointFiguresTotal = Static<typeof EndpointFiguresTotal>;

/** The figures of an endpoint, oldest day first, each day of the range. */
export const EndpointFigures = object('EndpointFigures', {
  days: Type.Array(EndpointFiguresOfDay),
  total: EndpointFiguresTotal,
  warnings: queryWarnings,
});
export type EndpointFigures = Static<typeof EndpointFigures>;
