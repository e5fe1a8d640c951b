export const signIn = {
  title: 'Sign in to the station',
  lead: 'Scan, weigh, photograph and label parcels with a scanner and a keyboard.',
  key: 'Warehouse key',
  shape: 'A warehouse key starts with pf_test_ or pf_live_. You can scan it.',
  show: 'Show key',
  submit: 'Sign in',
  working: 'Working…',
  hint: 'The key is kept only in the memory of this page. Reloading the page, closing it or signing out removes the key. Waiting reports stay on this device.',
  refused: 'You were signed out: the key has expired or has been revoked. Waiting reports are kept. Sign in to send them.',
};

export const failures = {
  offline: 'Cannot reach the platform. Check the network, then try again.',
  unreadable: 'The response did not come from the platform. A proxy may have sent it.',
  badKey: 'This key is invalid, expired, revoked, or belongs to the other environment. Scan it again, or ask the operator for a new key.',
  merchantKey: 'This page is for warehouses. Sign in with the key of a warehouse.',
  noPermission: 'This key does not have the required permission. Use a key with this scope:',
  storage: 'This browser does not store data on the device, for example in a private window. Use a normal window.',
  other: 'The request failed.',
};

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
