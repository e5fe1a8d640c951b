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

/** What each process of a platform uses in so long, for a message: microseconds in a second. */
export async function usedByService(stage: GrownStage, milliseconds: number): Promise<string> {
  const before = stage.cpuByService();
  await pause(milliseconds);
  const after = Object.entries(stage.cpuByService());
  return after.map(([name, now]) => `${name} ${Math.round(((now - (before[name] ?? 0)) * 1000) / milliseconds)}`).join(', ');
}
