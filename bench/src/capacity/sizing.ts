import { type Service, type WorkKey, works } from './works.ts';

/** How often a work is done for one parcel. */
export interface Share {
  readonly work: WorkKey;
  readonly timesAParcel: number;
  /** Polls are spread over the day by their schedule; everything else comes in the hours in which people work. */
  readonly when: 'peak' | 'all day';
}

/**
 * The life of one parcel in the example: its label and packing list uploaded and opened once each, one submission, three
 * reports of the warehouse (arrival, weighing, dispatch), one weighing query, two tracking queries, three changes of its
 * tracking status, four webhooks, and ten days on its way, which the schedule of polls makes 200 of.
 */
export const exampleLife: readonly Share[] = [
  { work: 'gatewaySubmit1', timesAParcel: 1, when: 'peak' },
  { work: 'gatewayEvent', timesAParcel: 3, when: 'peak' },
  { work: 'gatewayGet', timesAParcel: 3, when: 'peak' },
  { work: 'gatewayUpload1', timesAParcel: 2, when: 'peak' },
  { work: 'gatewayDownload', timesAParcel: 2, when: 'peak' },
  { work: 'submit1', timesAParcel: 1, when: 'peak' },
  { work: 'query', timesAParcel: 1, when: 'peak' },
  { work: 'applied', timesAParcel: 6, when: 'peak' },
  { work: 'upload1', timesAParcel: 2, when: 'peak' },
  { work: 'download1', timesAParcel: 2, when: 'peak' },
  { work: 'reported', timesAParcel: 3, when: 'peak' },
  { work: 'intakeAcceptance', timesAParcel: 1, when: 'peak' },
  { work: 'trackingAcceptance', timesAParcel: 1, when: 'peak' },
  { work: 'trackingQuery', timesAParcel: 2, when: 'peak' },
  { work: 'poll', timesAParcel: 200, when: 'all day' },
  { work: 'delivered', timesAParcel: 4, when: 'peak' },
];

/** Share of a day's parcels that come in its busiest hour, in the example. */
export const PEAK_HOUR_SHARE = 0.15;

/** So many of each at least: one may always be away. */
const LEAST = 2;

/** Times a second that something is done which is done `timesAParcel` times for each of `parcelsADay`. */
export function rateOf({ timesAParcel, when }: Pick<Share, 'timesAParcel' | 'when'>, parcelsADay: number): number {
  return when === 'peak' ? (timesAParcel * parcelsADay * PEAK_HOUR_SHARE) / 3600 : (timesAParcel * parcelsADay) / 86_400;
}

/**
 * What a service needs: each work takes the share of a replica that its rate is of what one replica holds.
 * @param holding what one replica holds of each work, a second
 * @returns `load`: replicas' worth of work; `replicas`: how many to run
 * @throws RangeError for a work of the service that was not measured
 */
export function replicasFor(
  service: Service,
  parcelsADay: number,
  holding: ReadonlyMap<WorkKey, number>,
  life: readonly Share[] = exampleLife,
): { readonly load: number; readonly replicas: number } {
  const load = life
    .filter(({ work }) => works[work].service === service)
    .reduce((sum, share) => {
      const perSecond = holding.get(share.work);
      if (perSecond === undefined) throw new RangeError(`${service}: ${works[share.work].name} was not measured`);
      return sum + rateOf(share, parcelsADay) / perSecond;
    }, 0);
  return { load, replicas: Math.max(LEAST, Math.ceil(load)) };
}
