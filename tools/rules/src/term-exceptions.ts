/** A use of an old term that is right. */
export interface Exception {
  /** As it is written. */
  readonly text: string;
  readonly reason: string;
}

/** Files whose words are not those of the product. */
export interface NotRead {
  readonly paths: RegExp;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  { text: 'stands_in', reason: 'a stored field and its index: forecast numbers that a warehouse has claimed for a forecast' },
  { text: 'readonly told: string', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'told: reportedBy', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'found.told', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'before.told', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: "told: '", reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'unexpected_answer', reason: 'a code that the client of merchants throws; programs compare it' },
  { text: '`handed over`', reason: 'a status of carriers' },
  { text: 'forecast.after-answer', reason: 'the name of a failpoint' },
  { text: 'is hereby granted', reason: 'a quote of the MIT licence' },
  { text: ', handed over,', reason: 'a phrase of carriers, to recognise a status by' },
];

export const notRead: readonly NotRead[] = [
  { paths: /^packages\/contracts\/released\//, reason: 'contracts as they were released' },
  { paths: /^package-lock\.json$/, reason: 'names and hashes of packages of others' },
  { paths: /(^|\/)LICENSE$/, reason: 'the text of a licence' },
  { paths: /^tools\/rules\/src\/(term-exceptions|terms|words)(\.test)?\.ts$/, reason: 'names the old terms' },
];
