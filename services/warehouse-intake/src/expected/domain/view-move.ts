import type { ViewForecast } from './forecast-copy.ts';
import { movedAway, movedId } from './seen-by-warehouse.ts';

/** A forecast that goes to another warehouse. */
export interface ViewMove {
  /** What the former warehouse is shown. */
  readonly away: ViewForecast;
  /** The forecast at its new warehouse. */
  readonly after: ViewForecast;
}

/** A move as it is stored: the version of the forecast that it is true of. */
export interface KnownMove {
  readonly version: number;
}

/** A move to be shown or hidden, by its id. */
export interface MoveWrite {
  readonly id: string;
  /** Version of the forecast that it is true of from now on. */
  readonly version: number;
  /** What the former warehouse is shown; null when the forecast has come back, and nothing is shown any more. */
  readonly shown: ViewForecast | null;
}

/** The move of a forecast to another warehouse; undefined when the warehouse stays. */
export function moveOf(before: ViewForecast | undefined, after: ViewForecast): ViewMove | undefined {
  const away = movedAway(before, after);
  return away && { away, after };
}

const leftId = ({ away }: ViewMove): string => movedId(away.forecastNo, String(away.warehouseCode));
const reachedId = ({ after }: ViewMove): string => movedId(after.forecastNo, String(after.warehouseCode));

/** Ids of the stored moves that the decision on a move depends on. */
export function idsOf(move: ViewMove): readonly string[] {
  return [leftId(move), reachedId(move)];
}

/**
 * Shows the move at the former warehouse and hides an earlier one at the new warehouse. Neither replaces what a newer version of the forecast has
 * written: a process that is late changes nothing.
 * @param known the stored moves by their ids
 */
export function decideMove(move: ViewMove, known: ReadonlyMap<string, KnownMove>): readonly MoveWrite[] {
  const version = move.after.content?.version ?? 1;
  const [left, reached] = [leftId(move), reachedId(move)];
  const isNew = (known.get(left)?.version ?? 0) <= version;
  const hasReturned = (known.get(reached)?.version ?? version) < version;
  return [...(isNew ? [{ id: left, version, shown: move.away }] : []), ...(hasReturned ? [{ id: reached, version, shown: null }] : [])];
}
