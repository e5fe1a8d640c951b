/** The independent services behind the gateway. */
export const serviceNames = ['gateway', 'forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'] as const;

/** Name of a service: its folder, its process, its consumer group. */
export type ServiceName = (typeof serviceNames)[number];
