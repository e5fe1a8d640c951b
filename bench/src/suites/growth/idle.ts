import { pause } from '../../suite.ts';
import type { GrownStage } from './grown-stage.ts';

/** CPU time that is used in a second while nobody uses a platform, microseconds. */
export interface Idle {
  /** By the platform. */
  readonly services: number;
  /** And by the server of all platforms. */
  readonly all: number;
}

/** Watches a platform that nobody uses for so long. */
export async function idleOf(stage: GrownStage, milliseconds: number): Promise<Idle> {
  const before = stage.cpu();
  const begun = performance.now();
  await pause(milliseconds);
  const seconds = (performance.now() - begun) / 1000;
  const after = stage.cpu();
  const services = after.services - before.services;
  return { services: services / seconds, all: (services + after.server - before.server) / seconds };
}
