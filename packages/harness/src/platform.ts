/** `DATA_DIR/quickstart.json` of a sandbox installation. */
export interface Quickstart {
  readonly base_url: string;
  readonly ca_file: string;
  readonly environment: string;
  readonly tenant: { readonly id: string; readonly name: string; readonly api_key: string };
  readonly warehouse: { readonly code: string; readonly api_key: string };
  readonly admin: { readonly url: string; readonly token: string };
}

/** A service of a platform in distributed mode, as `DATA_DIR/processes.json` describes it. */
export interface ServiceProcess {
  /** Such as `forecast-1`. */
  readonly name: string;
  /** Of a gateway: its public address. */
  readonly url: string;
  /** Its admin server. */
  readonly admin_url: string;
  /** Null between two starts. */
  readonly pid: number | null;
  readonly starts: number;
  /** Exit code or signal of the last end; null before the first. */
  readonly last_end: string | null;
}
