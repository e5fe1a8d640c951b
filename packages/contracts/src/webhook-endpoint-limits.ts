/** At most this many endpoints a tenant. */
export const MAX_ENDPOINTS_PER_TENANT = 10;
/** Days after which a paused endpoint becomes a disabled one: what waits for it must not wait for ever. */
export const MAX_PAUSE_DAYS = 7;
/** Custom headers of an endpoint, at most. */
export const MAX_CUSTOM_HEADERS = 20;
/** Most characters in the name of a custom header. */
export const MAX_HEADER_NAME = 64;
/** Most characters in a name of metadata. */
export const MAX_METADATA_NAME = 40;
