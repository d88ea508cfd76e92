interface Dialect {
  readonly instant: string;
  readonly bytes: string;
  /** The type of a primary key that counts upwards. */
  readonly serialKey: string;
  /** What follows the columns of a table. */
  readonly tableOptions: string;
}

/** The steps that create and upgrade the tables. A released step never changes. */
const createSteps = ({ instant, bytes, serialKey, tableOptions }: Dialect) =>
  [
    `CREATE TABLE api_key (
      id TEXT PRIMARY KEY,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      email TEXT NOT NULL,
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      digest ${bytes} NOT NULL UNIQUE,
      last4 TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      revoked_at ${instant}
    ) ${tableOptions};
    CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;`,

    `ALTER TABLE api_key ADD COLUMN requests_per_day INTEGER CHECK (requests_per_day > 0);

    CREATE TABLE key_request (
      id TEXT PRIMARY KEY,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      email TEXT NOT NULL,
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at ${instant} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
      decided_at ${instant},
      decided_by TEXT,
      reason TEXT,
      key_id TEXT REFERENCES api_key (id) DEFERRABLE INITIALLY DEFERRED,
      delivered_at ${instant},
      delivery_fault TEXT,
      CHECK ((state = 'pending') = (decided_at IS NULL)),
      CHECK ((state = 'approved') = (key_id IS NOT NULL))
    ) ${tableOptions};
    CREATE UNIQUE INDEX one_request_an_address ON key_request (address, environment) WHERE state = 'pending';
    CREATE INDEX key_request_by_key ON key_request (key_id);

    CREATE TABLE audit_entry (
      id ${serialKey},
      at ${instant} NOT NULL,
      by_whom TEXT NOT NULL,
      act TEXT NOT NULL,
      key_id TEXT,
      request_id TEXT,
      note TEXT NOT NULL
    ) ${tableOptions};

    CREATE TABLE operator_session (
      digest ${bytes} PRIMARY KEY,
      proof ${bytes} NOT NULL,
      expires_at ${instant} NOT NULL
    ) ${tableOptions};`,

    'ALTER TABLE api_key ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0)',

    `ALTER TABLE api_key ADD COLUMN documents TEXT NOT NULL DEFAULT 'any' CHECK (documents IN ('any', 'trusted'))`,
  ] as const;

export const sqliteSteps: readonly string[] = createSteps({
  instant: 'TEXT',
  bytes: 'BLOB',
  serialKey: 'INTEGER PRIMARY KEY',
  tableOptions: 'STRICT',
});

const [keysStep, requestsStep, ...laterSteps] = createSteps({
  instant: 'TIMESTAMPTZ',
  bytes: 'BYTEA',
  serialKey: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  tableOptions: '',
});

/** The first database in PostgreSQL had requests for keys already, so its first step makes both. */
export const postgresSteps: readonly string[] = [`${keysStep}\n${requestsStep}`, ...laterSteps];
