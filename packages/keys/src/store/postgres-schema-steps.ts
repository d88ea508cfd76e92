/**
 * Steps that create and upgrade the tables of a PostgreSQL database. The table keys_layout has the
 * number of applied steps. A released step never changes, because databases that applied the step
 * exist.
 */
export const postgresSchemaSteps: readonly string[] = [
  `CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL UNIQUE,
    last4 TEXT NOT NULL,
    requests_per_day INTEGER CHECK (requests_per_day > 0),
    created_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
  );
  CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;

  CREATE TABLE key_request (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
    decided_at TIMESTAMPTZ,
    decided_by TEXT,
    reason TEXT,
    key_id TEXT REFERENCES api_key (id) DEFERRABLE INITIALLY DEFERRED,
    delivered_at TIMESTAMPTZ,
    delivery_fault TEXT,
    CHECK ((state = 'pending') = (decided_at IS NULL)),
    CHECK ((state = 'approved') = (key_id IS NOT NULL))
  );
  CREATE UNIQUE INDEX one_request_an_address ON key_request (address, environment) WHERE state = 'pending';
  CREATE INDEX key_request_by_key ON key_request (key_id);

  CREATE TABLE audit_entry (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    by_whom TEXT NOT NULL,
    act TEXT NOT NULL,
    key_id TEXT,
    request_id TEXT,
    note TEXT NOT NULL
  );

  CREATE TABLE operator_session (
    digest BYTEA PRIMARY KEY,
    proof BYTEA NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
  );`,

  'ALTER TABLE api_key ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0)',

  `ALTER TABLE api_key ADD COLUMN documents TEXT NOT NULL DEFAULT 'any' CHECK (documents IN ('any', 'trusted'))`,
];
