/** Where runbooks are read by those who are woken; each page is named after its alert. */
export const RUNBOOKS = 'https://github.com/parcelway/parcelway/blob/main/docs/runbooks';

/** Address of the page of an alert. */
export const runbookUrl = (alert: string) => `${RUNBOOKS}/${alert}.md`;
