import type { Findings } from './fault.ts';
import type { SourceStage } from './tracked-source.ts';

/** Deadline of one call of a source, as {@link sourceFaultEnv} sets it. */
export const CARRIER_TIMEOUT_MS = 1500;

/** Variables of a platform for these faults: a poll comes as soon as a source may be asked again. */
export const sourceFaultEnv = {
  CARRIER_TIMEOUT_MS: String(CARRIER_TIMEOUT_MS),
  TRACKING_POLL_SCHEDULE: '120d:5s',
} as const;

/** Something that a tracking source does, or that happens while sources are asked. It has sources and parcels of its own. */
export interface SourceFault {
  readonly name: string;
  readonly expected: string;
  strike(stage: SourceStage): Promise<Findings>;
}
