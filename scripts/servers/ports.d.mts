/** A server's own port and the one of the fault proxy in front of it. */
export type ProxiedPort = { readonly port: number; readonly proxy: number };
/** Every port of a set. */
export type Ports = {
  readonly mongo: readonly ProxiedPort[];
  readonly toxiproxy: number;
  readonly redis: ProxiedPort;
  readonly s3: ProxiedPort;
  readonly kafka: readonly (ProxiedPort & { readonly behindProxy: number; readonly controller: number })[];
};
/** First port of a set unless told otherwise. */
export declare const DEFAULT_PORT_BASE: number;
/** The port base that a variable asks for. Throws Error when it is no whole number from 1024 to 65336. */
export declare function portBaseOf(text: string | undefined): number;
/** Every port of a set. */
export declare function portsOf(base: number, cluster: boolean): Ports;
