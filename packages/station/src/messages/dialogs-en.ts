/** What the window of the reports says. */
export const reports = {
  title: 'Reports on this device',
  none: 'No reports are waiting on this device.',
  waiting: 'Waiting, in this order',
  refused: 'Rejected: fix or delete',
  fix: 'Fix',
  drop: 'Delete',
  dropSure: 'Delete permanently?',
  sendAgain: 'Send again',
  withoutPhotos: 'Without photos',
  close: 'Close',
  photoLost: 'The photo is no longer on this device. Send the report without it.',
  more: (count: number) => `and ${count} more`,
};

/** Names of the fields of a report. */
export const fields: Readonly<Record<string, string>> = {
  express_no: 'Scanned number',
  forecast_no: 'Forecast number',
  weight_kg: 'Weight in kg',
  length_cm: 'Length in cm',
  width_cm: 'Width in cm',
  height_cm: 'Height in cm',
  carrier_code: 'Carrier code',
  tracking_number: 'Tracking number',
  text: 'Description',
  reason: 'Reason',
};

/** What the window of the scale says. */
export const scale = {
  title: 'Connect a scale',
  none: 'This browser cannot read a scale. Use Chrome or Edge on a computer, or type the weight.',
  speed: 'Baud rate',
  hint: 'Lines such as “ST,GS,+ 1.234kg” are supported. 9600 is common.',
  connect: 'Choose a port',
  disconnect: 'Disconnect',
  failed: 'The scale could not be opened. Another program may be using it.',
  close: 'Close',
};
