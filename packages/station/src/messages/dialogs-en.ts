/** What the window of the reports says. */
export const reports = {
  title: 'Reports on this device',
  none: 'Nothing waits on this device.',
  waiting: 'Waiting, in this order',
  refused: 'Refused: fix or drop',
  fix: 'Fix',
  drop: 'Drop',
  dropSure: 'Drop for good?',
  sendAgain: 'Send again',
  withoutPhotos: 'Without its photos',
  close: 'Close',
  photoLost: 'The photo is no longer on this device. Send the report without it.',
  more: (count: number) => `and ${count} more`,
};

/** Names of the fields of a report. */
export const fields: Readonly<Record<string, string>> = {
  express_no: 'Number scanned',
  forecast_no: 'Forecast',
  weight_kg: 'Weight in kg',
  length_cm: 'Length in cm',
  width_cm: 'Width in cm',
  height_cm: 'Height in cm',
  carrier_code: 'Carrier code',
  tracking_number: 'Number of the carrier',
  text: 'Description',
  reason: 'Reason',
};

/** What the window of the scale says. */
export const scale = {
  title: 'Connect a scale',
  none: 'This browser cannot read a scale. Use Chrome or Edge on a computer, or type the weight.',
  speed: 'Speed of the line, in baud',
  hint: 'Lines such as “ST,GS,+ 1.234kg” are understood. 9600 is usual.',
  connect: 'Choose the port',
  disconnect: 'Disconnect',
  failed: 'The scale could not be opened. Another program may use it.',
  close: 'Close',
};
