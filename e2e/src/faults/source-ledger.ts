import { platformMode } from '@parcelway/harness/installation';
import type { LedgerFields } from './ledger-fields.ts';
import { writeMongoLedger } from './mongo-call-ledger.ts';
import { writeSqliteLedger } from './sqlite-call-ledger.ts';
import type { SourceStage, TrackedSource } from './tracked-source.ts';

const DAY_MS = 86_400_000;

async function write(
  { platform }: Pick<SourceStage, 'platform'>,
  { connectionId }: Pick<TrackedSource, 'connectionId'>,
  fields: LedgerFields,
): Promise<void> {
  if (platformMode() === 'embedded') writeSqliteLedger(platform.dataDirectory, connectionId, fields);
  else await writeMongoLedger(String(platform.servers['MONGODB_URL']), String(platform.servers['RESOURCE_PREFIX']), connectionId, fields);
}

/** Makes the calls of a day as good as made. The day ends after tomorrow: a test that runs across midnight finds no new quota. */
export function useUp(stage: Pick<SourceStage, 'platform'>, source: TrackedSource, calls: number): Promise<void> {
  return write(stage, source, { day: Math.floor(Date.now() / DAY_MS) + 1, used: calls, blocked_until: 0 });
}

/** Ends whatever a connection waits for: the refusals of the vendor, and the day. Registrations that a quota stops have a ledger of their own. */
export async function letTimePass(stage: Pick<SourceStage, 'platform'>, { connectionId }: TrackedSource): Promise<void> {
  for (const id of [connectionId, `${connectionId}/registrations`])
    await write(stage, { connectionId: id }, { day: 0, used: 0, blocked_until: 0 });
}
