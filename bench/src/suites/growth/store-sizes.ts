import { runScript } from '../../child-server.ts';
import { mongoSizes } from '../mongo-server.ts';
import type { GrownStage } from './grown-stage.ts';
import type { StoreSize } from './growth-tables.ts';
import { SERVICES } from './model.ts';

/** What the stores of a platform take, by table or collection. */
export function sizesOf({ stores: { kind, place } }: GrownStage): Promise<readonly StoreSize[]> {
  return kind === 'mongo' ? mongoSizes(place, SERVICES) : runScript<readonly StoreSize[]>('processes/growth-sizes.js', [place]);
}
