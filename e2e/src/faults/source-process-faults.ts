import { platformMode } from '@parcelway/harness/installation';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, callsFor } from './source-calls.ts';
import type { SourceFault } from './source-fault.ts';
import { endAndJudge, query, untilChanged } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedSource, withSources } from './tracked-source.ts';

const NEWS_MS = 90_000;
/** A poll that died with its process comes again when its lease of a minute has ended. */
const FOUND_MS = 120_000;
const BACK_MS = 60_000;
const PUSHED_PARCELS = 10;
const PUSHES_EACH = 12;
/** The process is killed when so many pushes were taken. */
const KILLED_AFTER = [25, 70];

/** Processes that ask sources. */
function watchersOf({ platform }: SourceStage): readonly { readonly name: string; readonly pid: number | null; readonly starts: number }[] {
  return platformMode() === 'embedded' ? [] : platform.services().filter(({ name }) => name.startsWith('tracking-'));
}

/** SIGKILL to every process that asks sources: in embedded mode, to the one that has all services. Resolves when all run again. */
async function killWatchers(stage: SourceStage, poNumber: string): Promise<void> {
  const { platform } = stage;
  if (platformMode() === 'embedded') {
    await platform.kill();
    await platform.start();
    return;
  }
  const before = watchersOf(stage);
  for (const { pid } of before) if (pid !== null) process.kill(pid, 'SIGKILL');
  const areBack = (): boolean => watchersOf(stage).every(({ pid, starts }, index) => pid !== null && starts > (before[index]?.starts ?? 0));
  await until(areBack, { within: BACK_MS, what: 'the processes of tracking to run again' });
  const responds = async (): Promise<boolean> => ['0', '50001'].includes((await query(stage, poNumber)).response.code);
  await until(responds, { within: BACK_MS, everyMs: 200, what: 'tracking to respond again' });
}

/** The processes die between two polls of one parcel and amid the poll of another. */
async function killedBetweenPolls(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['17track', '17track'], async (sources) => {
    const [calm, asked] = sources as [TrackedSource, TrackedSource];
    const between = await calm.tracked();
    const registrations = (): number => callsFor(calm.server, between.number, 'register').length;
    // A query at one process may register a parcel that the poll of another one is registering: the vendor counts it once.
    const registered = registrations();
    asked.server.setMood({ kind: 'hangs' });
    const amid = await asked.dispatch(inTransit);
    await until(() => callsFor(asked.server, amid.number).length > 0, { what: 'the source to be asked' });
    await killWatchers(stage, between.poNumber);
    asked.server.setMood({ kind: 'well' });
    calm.server.addRows(between.number, recentRow('out for delivery', 60));
    const startedAt = performance.now();
    await Promise.all([untilChanged(stage, between, 'In Delivery', FOUND_MS), untilChanged(stage, amid, 'In Transit', FOUND_MS)]);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    return {
      observed: `polls had brought the news of both parcels ${seconds} s after the processes ran again`,
      violations: [
        ...(registrations() === registered ? [] : ['a registration was lost with the processes']),
        ...(await endAndJudge(stage, calm, between, { nodes: ['In Transit', 'In Delivery'] })),
        ...(await endAndJudge(stage, asked, amid, { nodes: ['In Transit'] })),
        ...sources.flatMap(({ server }) => beyondRate(server)),
      ],
    };
  });
}

/** The processes die amid a burst of pushes, each of which has one row alone: one that was taken and lost leaves a gap. */
async function killedAmidPushes(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['17track'], async ([only]) => {
    const source = only as TrackedSource;
    const parcels = await Promise.all(Array.from({ length: PUSHED_PARCELS }, () => source.tracked()));
    const rows = Array.from({ length: PUSHES_EACH }, (_, index) =>
      index === PUSHES_EACH - 1 ? recentRow('out for delivery', 60) : recentRow('in transit', 170 - 5 * index),
    );
    let taken = 0;
    const sending = Promise.all(
      parcels.map(async ({ number }) => {
        for (const row of rows) {
          await source.pushUntilTaken(number, { rows: [row] });
          taken += 1;
        }
      }),
    );
    const killing = (async (): Promise<void> => {
      for (const count of KILLED_AFTER) {
        await until(() => taken >= count, { within: BACK_MS, what: `${count} pushes to be taken` });
        await killWatchers(stage, String(parcels[0]?.poNumber));
      }
    })();
    await Promise.all([sending, killing]);
    for (const parcel of parcels) await untilChanged(stage, parcel, 'In Delivery', NEWS_MS);
    const nodes = [...Array.from({ length: PUSHES_EACH }, () => 'In Transit' as const), 'In Delivery' as const];
    const judged = await Promise.all(
      parcels.map(async (parcel) => {
        source.server.replaceRows(parcel.number);
        return endAndJudge(stage, source, parcel, { nodes, changes: ['In Transit', 'In Delivery'] });
      }),
    );
    return {
      observed: `${taken} pushes taken around ${KILLED_AFTER.length} kills; each has left its node, once`,
      violations: [...judged.flat(), ...beyondRate(source.server)],
    };
  });
}

/** What happens to the processes that ask sources. They may run one after the other only. */
export const sourceKillFaults: readonly SourceFault[] = [
  {
    name: 'SIGKILL to every process of tracking between two polls, and amid one',
    expected: 'polls go on; nothing lost, nothing published twice',
    strike: killedBetweenPolls,
  },
  {
    name: 'SIGKILL to every process of tracking amid a burst of pushes',
    expected: 'a push that was taken has its effect, once; the others are sent again',
    strike: killedAmidPushes,
  },
];
