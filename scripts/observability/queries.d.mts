/** A query and where it stands. */
export interface Query {
  readonly where: string;
  readonly expression: string;
}
/** The queries of the panels, with Grafana's variables filled in. */
export declare function panelQueries(): Query[];
/** The queries in docs/. */
export declare function documentedQueries(root: string): Query[];
