/** What the command line asks for; `servers` are names, only for verbs that act on single servers. */
export type Asked = {
  readonly verb: string;
  readonly servers: string[];
  readonly cluster: boolean;
  readonly s3: 'versitygw' | 'minio' | undefined;
  readonly keep: boolean;
  readonly json: boolean;
};
/** Reads the words after the script's name. Throws Error with a sentence for the user. */
export declare function parseArguments(argv: readonly string[]): Asked;
