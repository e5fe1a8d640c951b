/** Tag of routes → what they are about. */
export const tags: Readonly<Record<string, string>> = {
  Forecasts: 'Pre-advice of parcels: submit, read, cancel, and query what the warehouse measured.',
  Imports: 'Forecasts from a spreadsheet, for merchants without a program.',
  Files: 'PDFs for forecasts. A file URL opens without a key and cannot be guessed.',
  Tracking: "The carrier's nodes of a parcel.",
  Carriers: 'Which carriers may have given a tracking number, and which can be tracked.',
  'Carrier connections': 'Your own accounts with vendors of tracking data, which are asked before those of the platform.',
  Warehouses: 'Destinations of forecasts.',
  Keys: 'Your API keys: what a key may do, and creating, rotating and revoking keys without the operator.',
  Console: 'How people come into the console: sessions, and links for users who have no key.',
  Activity: 'What your keys did: the audit log, calls that failed, and the usage of each day.',
  'Webhook endpoints': 'Endpoints that receive events, signed as in Standard Webhooks 1.0.',
  'Webhook events': 'What the platform sends to these endpoints.',
  'Warehouse intake': 'For the systems of the warehouses, with a key of the warehouse.',
  'Warehouse view': 'What a warehouse sees of the forecasts that are meant for it, with a key of the warehouse.',
  Sandbox: 'Simulates the warehouse and the carrier. Does not exist in production.',
};
