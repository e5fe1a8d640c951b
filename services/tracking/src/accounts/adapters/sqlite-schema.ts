/** Connections and what they have called. `limits`: JSON in the place of the vendor's own; NULL for those. */
export const connectionTables = `
CREATE TABLE connections (
  connection_id TEXT PRIMARY KEY,
  tenant_id TEXT,
  source TEXT NOT NULL,
  base_url TEXT,
  carriers TEXT NOT NULL,
  limits TEXT,
  sealed_credentials TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX connections_by_owner ON connections (tenant_id, created_at);

CREATE TABLE call_ledgers (
  connection_id TEXT PRIMARY KEY,
  day INTEGER NOT NULL,
  used INTEGER NOT NULL,
  next_call_at INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL,
  last_push_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
