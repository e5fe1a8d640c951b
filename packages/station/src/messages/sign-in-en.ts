/** What the page says before anybody is signed in. */
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

/** Why a call failed. */
export const failures = {
  offline: 'Cannot reach the platform. Check the network, then try again.',
  unreadable: 'The response did not come from the platform. A proxy may have sent it.',
  badKey: 'This key is invalid, expired, revoked, or belongs to the other environment. Scan it again, or ask the operator for a new key.',
  merchantKey: 'This page is for warehouses. Sign in with the key of a warehouse.',
  noPermission: 'This key does not have the required permission. Use a key with this scope:',
  storage: 'This browser does not store data on the device, for example in a private window. Use a normal window.',
  other: 'The request failed.',
};
