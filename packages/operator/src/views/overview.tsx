import type { PlatformQueues } from '@parcelway/contracts/queues-api';
import { consumedTopics } from '@parcelway/contracts/topics';
import type { Client } from '@parcelway/page/api/client';
import { ApiFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import { Badge, Card, LoadedBody, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { useWords } from '../messages/language.ts';
import { TableCard, upTo } from '../parts.tsx';
import { hrefOf } from '../route.ts';
import { useGet, useRead } from '../session.tsx';

/** What of each list is looked at: enough to say that there is something. */
const SOME = 20;
type States = Readonly<Record<string, string>>;

/** State of each service, also when the response is that not all are ready. */
async function readStates(client: Client, signal: AbortSignal): Promise<States> {
  try {
    return (await client.call<{ services: States }>('/admin/v1/status', { signal })).services;
  } catch (error) {
    const services = error instanceof ApiFailure ? (error.data as { services?: States } | null | undefined)?.services : undefined;
    if (services === undefined) throw error;
    return services;
  }
}

async function readDeadLetters(client: Client, signal: AbortSignal): Promise<ReadonlyArray<readonly [topic: string, count: number]>> {
  const counted = await Promise.all(
    consumedTopics.map(async (topic) => {
      const data = await client.call<{ dead_letters: object[] }>('/admin/v1/dead-letters', { query: { topic, limit: SOME + 1 }, signal });
      return [topic, data.dead_letters.length] as const;
    }),
  );
  return counted.filter(([, count]) => count > 0);
}

function Services() {
  const { t } = useWords();
  const loaded = useRead('status', readStates);
  return (
    <TableCard
      title={t.overview.services}
      loaded={loaded}
      itemsOf={(states) => Object.entries(states)}
      idOf={([name]) => name}
      none={t.common.notKnown}
      columns={[
        { head: t.overview.service, cell: ([name]) => name },
        {
          head: t.common.status,
          cell: ([, state]) => (
            <Badge tone={state === 'ready' ? 'good' : 'bad'}>{state === 'ready' ? t.overview.ready : t.overview.notReady}</Badge>
          ),
        },
      ]}
    />
  );
}

function Unclaimed() {
  const { t } = useWords();
  const loaded = useGet<{ parcels: object[] }>('/admin/v1/unclaimed', { limit: SOME + 1 });
  return (
    <Card title={t.unclaimed.title} beside={<Refresh loaded={loaded} />}>
      <LoadedBody loaded={loaded}>
        {({ parcels }) =>
          parcels.length === 0 ? (
            <p class="faint">{t.unclaimed.none}</p>
          ) : (
            <p>
              <a href={hrefOf({ view: 'unclaimed' })}>
                {t.overview.waiting}: {upTo(Math.min(parcels.length, SOME), parcels.length > SOME)}
              </a>
            </p>
          )
        }
      </LoadedBody>
    </Card>
  );
}

function DeadLetters() {
  const { t } = useWords();
  const loaded = useRead('dead letters', readDeadLetters);
  return (
    <TableCard
      title={t.nav['dead-letters']}
      loaded={loaded}
      itemsOf={(topics) => topics}
      idOf={([topic]) => topic}
      none={t.overview.noDeadLetters}
      columns={[
        { head: t.deadLetters.topic, cell: ([topic]) => <a href={hrefOf({ view: 'dead-letters', topic })}>{topic}</a> },
        { head: t.overview.waiting, cell: ([, count]) => upTo(Math.min(count, SOME), count > SOME) },
      ]}
    />
  );
}

/** How long the oldest has waited, in the reader's words. */
function waitText(seconds: number | null, locale: string): string {
  if (seconds === null || seconds === 0) return '–';
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 0 }).format(seconds);
}

function Queues() {
  const { t, locale } = useWords();
  const loaded = useGet<PlatformQueues>('/admin/v1/queues');
  return (
    <TableCard
      title={t.overview.queues}
      loaded={loaded}
      itemsOf={({ queues }) => queues.filter(({ waiting }) => waiting > 0)}
      idOf={({ service, queue, topic }) => `${service} ${queue} ${topic}`}
      none={t.overview.nothingWaits}
      note={({ unknown }) => unknown.length > 0 && fill(t.overview.unknownQueues, unknown.join(', '))}
      columns={[
        { head: t.overview.service, cell: ({ service }) => service },
        { head: t.overview.queue, cell: ({ queue, topic }) => [t.overview.queueNames[queue], topic].filter(Boolean).join(' ') },
        { head: t.overview.waiting, cell: ({ waiting }) => new Intl.NumberFormat(locale).format(waiting) },
        { head: t.overview.oldest, cell: ({ oldest_wait_seconds }) => waitText(oldest_wait_seconds, locale) },
      ]}
    />
  );
}

/** What needs attention: services that are not ready, what waits, parcels without a forecast, messages that could not be processed. */
export function OverviewView() {
  const { t } = useWords();
  return (
    <>
      <PageHeading title={t.nav.overview} />
      <Services />
      <Queues />
      <Unclaimed />
      <DeadLetters />
    </>
  );
}
