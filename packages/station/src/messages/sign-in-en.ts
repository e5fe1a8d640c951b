/** What the page says before anybody is signed in. */
export const signIn = {
  title: 'Sign in at the station',
  lead: 'Scan, weigh, photograph and label parcels with a scanner and a keyboard.',
  key: 'Warehouse key',
  shape: 'A key of the warehouse begins with pf_test_ or pf_live_. A scanner may type it in.',
  show: 'Show key',
  submit: 'Sign in',
  working: 'Working…',
  hint: 'The key stays in the memory of this page. Reloading it, closing it or signing out forgets the key. Reports that wait stay on this device.',
  refused: 'You were signed out: the key has expired or has been revoked. Reports that wait are kept; sign in to send them.',
};

/** Why a call failed. */
export const failures = {
  offline: 'The platform could not be reached. Check the network, then try again.',
  unreadable: 'Something other than the platform responded, perhaps a proxy in between.',
  badKey: 'This key is invalid, expired, revoked or of the other environment. Scan it again, or ask the operator for a new one.',
  merchantKey: 'This page needs the key of a warehouse.',
  noPermission: 'This key lacks the permission for it. Ask for a key with this scope:',
  storage: 'This browser keeps nothing on the device, as in a private window. Use an ordinary window.',
  other: 'The platform could not do it.',
};
