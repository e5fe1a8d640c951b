/**
 * List prices, US dollars: the only place with money in it. Replace them by your own, and run
 * `npm run bench -- --only scale-model --write docs/scale.md`.
 */
export const priceList = {
  /** Day for which the list was put together. */
  date: '2026-11-26',
  source:
    'list prices of Amazon EC2, EBS, S3 and data transfer, region us-east-1, Linux, on demand and without a discount; m7g.large at 0.0816 an hour as of June 2026',
  prices: {
    /** Half of an m7g.large: a core with 4 GiB of memory. */
    coreHour: { what: 'vCPU-hour with 4 GiB', each: 0.0408 },
    /** Half of an r7g.large: a core with 8 GiB of memory. */
    memoryCoreHour: { what: 'vCPU-hour with 8 GiB', each: 0.05355 },
    /** EBS gp3. */
    diskMonth: { what: 'GB-month of SSD', each: 0.08 },
    /** EBS gp3, beyond the first 3,000 of a disk. */
    iopsMonth: { what: 'provisioned IOPS-month', each: 0.005 },
    /** S3 Standard, first 50 TB. */
    objectMonth: { what: 'GB-month of objects', each: 0.023 },
    objectPut: { what: '1,000 PUT', each: 0.005 },
    objectGet: { what: '1,000 GET', each: 0.0004 },
    /** To the internet, from 10 TB a month on. */
    outgoing: { what: 'GB to the internet', each: 0.085 },
    /** Each direction between two availability zones. */
    betweenZones: { what: 'GB between zones', each: 0.02 },
  },
} as const;

/** Price of one unit, by name. */
export type Prices = { readonly [K in keyof typeof priceList.prices]: { readonly what: string; readonly each: number } };

/** Operations a second that a disk has without a further price. */
export const FREE_IOPS = 3_000;
