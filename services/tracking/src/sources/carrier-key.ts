/** The carrier code of a dispatch as the tables of the vendors are keyed by it: `DHL-Express` and `dhl express` are both `dhlexpress`. */
export function carrierKeyOf(carrierCode: string): string {
  return carrierCode.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
