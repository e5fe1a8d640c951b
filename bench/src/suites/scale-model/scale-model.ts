import { existsSync, readFileSync } from 'node:fs';
import type { Suite } from '../../suite.ts';
import { measuredIn, statedSizes } from './input-tables.ts';
import type { ProcessName, ScaleInputs } from './inputs.ts';
import { type ScaleModel, scaleModel } from './model.ts';
import { planFor } from './scaled-plan.ts';
import { simulate } from './simulate.ts';
import type { StationOptions } from './station.ts';
import { sizesOfGrowth, sizesOfSum } from './stored-sizes.ts';
import { modelTables, simulationTable } from './tables.ts';

const docs = new URL('../../../../docs/', import.meta.url);
const SEED = 20_261_126;
const HOUR_SECONDS = 3_600;
const QUICK_SECONDS = 600;

const pageOf = (name: string): string => readFileSync(new URL(name, docs), 'utf8');

/**
 * The inputs of the model, as the pages have them now: costs from docs/scale.md, sizes from docs/growth.md where it has them.
 * @throws Error naming what a page lacks
 */
function publishedInputs(): ScaleInputs {
  const measured = measuredIn(pageOf('scale.md'));
  const ofGrowth = existsSync(new URL('growth.md', docs)) ? sizesOfGrowth(pageOf('growth.md')) : undefined;
  const sizes = statedSizes(ofGrowth ?? sizesOfSum(measured.others.parcelDisk));
  return { ...measured, sizes, sizesFrom: ofGrowth === undefined ? 'capacity, sum measured, shares assumed' : 'growth' };
}

/** The stages of a model. @param fewer of everything, where more than one is there */
export function stagesOf(model: ScaleModel, fewer = 0): ReadonlyMap<ProcessName, StationOptions> {
  const { plan, services, partitions, shards, brokers } = model;
  const but = (count: number): number => Math.max(1, count - fewer);
  const servers = (name: string, count: number, lanes: number): StationOptions => ({
    name,
    groups: but(count),
    lanes,
    free: 1,
    partitions,
  });
  return new Map<ProcessName, StationOptions>([
    ...services.map(({ service, replicas, idleShare }): [ProcessName, StationOptions] => [
      service,
      { name: service, groups: but(replicas), lanes: 1, free: 1 - idleShare, partitions },
    ]),
    ['mongo-1', servers('MongoDB, shards', shards, plan.memberCores)],
    ['kafka-1', servers('Kafka, brokers', brokers, plan.brokerCores)],
    ['redis', servers('Redis', 1, 1)],
  ]);
}

/** What a day of two million parcels needs, or of SCALE_PARCELS, from the published measurements, and a simulation of its peak hour. */
export const scaleModelSuite: Suite = async ({ scale, progress, table }) => {
  const inputs = publishedInputs();
  const plan = planFor(process.env);
  const model = scaleModel(inputs, plan);
  for (const one of modelTables(inputs, plan)) table(one);
  const seconds = scale.quick ? QUICK_SECONDS : HOUR_SECONDS;
  const run = (fewer: number, what: string) => {
    progress(`simulating ${seconds} s ${what}`);
    return simulate({ streams: model.streams, stages: stagesOf(model, fewer), plan, seconds, seed: SEED });
  };
  const all = run(0, 'with all replicas');
  const fewer = run(1, 'with one replica fewer of each');
  table(simulationTable(all, fewer, seconds));
  return [];
};
