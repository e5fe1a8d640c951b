import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { Bench, Candidate, Effect, Subject } from '../domain/bench.ts';
import { type Action, emptyBench, step } from '../domain/flow.ts';
import { detailWith } from './parcels.ts';

/** What a reading comes to: the forecast, no response, or nothing until the test says so. */
type Again = (subject: Subject) => WarehouseForecastDetail | 'offline' | 'later';

export class Work {
  bench: Bench = emptyBench;
  effects: Effect[] = [];
  /** What the platform shows of the parcel on the bench when it is read again; by default what is known. */
  readonly #again: Again;

  constructor(again: Again = ({ detail }) => detail ?? 'offline') {
    this.#again = again;
  }

  do(...actions: Array<Action | string>): this {
    for (const each of actions) {
      const taken = step(this.bench, typeof each === 'string' ? { type: 'line', text: each } : each);
      this.bench = taken.bench;
      this.effects.push(...taken.effects);
      for (const effect of taken.effects) if (effect.do === 'read') this.#read(effect);
    }
    return this;
  }

  #read({ forecastNo, why }: Extract<Effect, { do: 'read' }>): void {
    const { flow } = this.bench;
    const detail = flow.at === 'parcel' ? this.#again(flow.subject) : 'later';
    if (detail === 'later') return;
    this.do({ type: 'read-again', forecastNo, why, ...(detail === 'offline' ? {} : { detail }) });
  }

  printed(): string[] {
    return this.effects.flatMap((effect) => (effect.do === 'print' ? [effect.url] : []));
  }

  open(scan: string, candidate: Candidate, detail = detailWith(candidate.forecast)): this {
    return this.do(scan, found(scan, candidate), { type: 'opened', scan, candidate, detail });
  }

  get at(): string {
    return this.bench.flow.at;
  }

  get said(): string | undefined {
    return this.bench.notice?.key;
  }

  reports(): unknown[] {
    return this.effects.flatMap((effect) => {
      if (effect.do === 'report') return [effect.draft];
      return effect.do === 'save' ? effect.drafts.map(({ draft }) => draft) : [];
    });
  }
}

export const found = (scan: string, ...candidates: Candidate[]): Action => ({
  type: 'looked-up',
  scan,
  candidates,
  hasMore: false,
  offline: false,
});
