/** Address of the page of an alert. */
export declare function runbookUrl(alert: string): string;
