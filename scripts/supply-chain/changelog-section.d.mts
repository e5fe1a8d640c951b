/** What the changelog says of a version. @throws Error in words when the release cannot be made so */
export declare function releaseNotes(tag: string, version: string, changelog: string): string;
