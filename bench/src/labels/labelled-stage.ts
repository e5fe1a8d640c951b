import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { runScript } from '../child-server.ts';
import { onDistributedStage } from '../distributed-stage.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { onStage, type Stage } from '../stage.ts';
import { onStagesOfSizes, shown } from '../stages-of-sizes.ts';
import type { SuiteOptions } from '../suite.ts';
import { type ForecastNumbers, numbersOfCopy } from './forecast-copies.ts';
import { labelled, submit } from './label-times.ts';

/** Items of each forecast. */
export const ITEMS = 3;
const CONNECTIONS = 4;

/** A platform that stores forecasts with their documents. */
export interface LabelledStage {
  readonly forecasts: number;
  readonly merchant: RawClient;
  /** The body of the next submission: of type 2, which claims a logistics number. */
  write(): string;
  /** CPU time that all processes of the platform have used so far, microseconds. */
  cpuMicroseconds(): number;
}

let counter = 0;

/** The po_number is the logistics number, too, so that no two forecasts share one. */
async function trackedWriter({ platform, tenantKey, warehouseCode }: Stage): Promise<() => string> {
  const api = platform.client(tenantKey);
  const { url } = (await api.upload<{ url: string }>('/open/v1/files/pdf', 'label.pdf', samplePdf('label'))).data;
  await api.close();
  const of = { poNumber: '#', trackingNumber: '#', warehouseCode, shippingLabel: url, shippingNote: url, items: ITEMS };
  const parts = JSON.stringify(sampleSubmission(of)).split('"#"');
  return () => {
    counter += 1;
    return parts.join(`"LABEL${String(counter).padStart(11, '0')}"`);
  };
}

/** Reads a copy as its merchant and its warehouse see it. @throws Error when it is not there, or has no label */
async function check(merchant: RawClient, warehouse: RawClient, { forecastNo, poNumber }: ForecastNumbers): Promise<void> {
  const seen = [
    await merchant.get<{ forecast_no: string; marketplace_label: string | null }>(`/open/v1/forecasts/${poNumber}`),
    await warehouse.get<{ forecast_no: string; marketplace_label: string | null }>(`/warehouse/v1/forecasts/${forecastNo}`),
  ];
  if (seen.some((forecast) => forecast.forecast_no !== forecastNo || forecast.marketplace_label === null))
    throw new Error(`The copy ${forecastNo} is not whole: ${JSON.stringify(seen)}`);
}

/** Fills the stores of a platform with copies of its first forecast. */
async function filled(
  stage: Stage,
  forecasts: number,
  place: readonly ['sqlite' | 'mongo', string],
): Promise<Omit<LabelledStage, 'cpuMicroseconds'>> {
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const write = await trackedWriter(stage);
  const first = await submit(merchant, write());
  await labelled(merchant, first);
  const original = { forecastNo: first.forecast_no, poNumber: first.po_number };
  const copies = forecasts - 1;
  await runScript('processes/fill-copies.js', [...place, original.forecastNo, original.poNumber, String(copies)]);
  await check(merchant, stage.client(stage.warehouseKey, 1), numbersOfCopy(original, copies));
  return { forecasts, merchant, write };
}

function onEmbedded<T>(forecasts: number, use: (stage: LabelledStage) => Promise<T>): Promise<T> {
  return onStage(async (stage) => {
    const { platform } = stage;
    const cpuMicroseconds = (): number => exactCpuMicrosecondsOf(platform.pid);
    return use({ ...(await filled(stage, forecasts, ['sqlite', platform.dataDirectory])), cpuMicroseconds });
  });
}

/** The CPU time is that of one process of each service, without the servers that they store on. */
function onDistributed<T>(forecasts: number, use: (stage: LabelledStage) => Promise<T>): Promise<T> {
  return onDistributedStage(1, async (stage) => {
    const { platform } = stage;
    const pids = platform.services().flatMap(({ pid }) => (pid === null ? [] : [pid]));
    const cpuMicroseconds = (): number => pids.reduce((sum, pid) => sum + exactCpuMicrosecondsOf(pid), 0);
    return use({ ...(await filled(stage, forecasts, ['mongo', platform.servers['RESOURCE_PREFIX'] ?? ''])), cpuMicroseconds });
  });
}

const ways = { embedded: onEmbedded, distributed: onDistributed } as const;

/** A mode in which labels are measured. */
export type LabelMode = keyof typeof ways;

const SIZES = { full: [1_000, 100_000], quick: [1_000, 3_000] } as const;

/** Starts a platform for each size, all at the same time so that they can be measured in turns, fills their stores and lets `use` work with them. */
export function onLabelledStages<T>(
  options: SuiteOptions,
  mode: LabelMode,
  use: (stages: readonly LabelledStage[]) => Promise<T>,
): Promise<T> {
  const on = (forecasts: number, next: (stage: LabelledStage) => Promise<T>): Promise<T> => {
    options.progress(`filling the stores with ${shown(forecasts)} forecasts`);
    return ways[mode](forecasts, next);
  };
  return onStagesOfSizes(SIZES[options.scale.quick ? 'quick' : 'full'], on, use);
}
