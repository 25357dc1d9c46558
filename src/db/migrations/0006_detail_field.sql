-- compatible: fields of an organization's own, and bulk edits; an older version does not know the tables and writes details unchecked
-- What details[key] of every asset of the organization is. Values lie in asset.details; all that is stored fits its field.
CREATE TABLE detail_field (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  key text NOT NULL,
  label text NOT NULL,
  type text NOT NULL CHECK (type IN ('text', 'number', 'date', 'choice', 'list')),
  -- choice: the values; list: what its texts are taken from, empty = any text
  choices text[] NOT NULL DEFAULT '{}',
  searchable boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX detail_field_key ON detail_field (organization_id, key);
-- One entry a value with its path: answers `details @> '{"key": value}'`.
CREATE INDEX asset_details ON asset USING gin (details jsonb_path_ops);

-- An edit of many assets: as a whole here, asset by asset in bulk_item.
CREATE TABLE bulk_operation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  -- what is done to each asset, checked before the operation was queued
  edit jsonb NOT NULL,
  dry_run boolean NOT NULL DEFAULT false,
  total integer NOT NULL,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  failure text,
  -- name of the API key
  created_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
CREATE INDEX bulk_operation_organization ON bulk_operation (organization_id, id);
CREATE INDEX bulk_operation_age ON bulk_operation (created_at);

-- One asset of an operation; status is null until it was done, in the transaction that did it.
CREATE TABLE bulk_item (
  operation_id bigint NOT NULL REFERENCES bulk_operation (id) ON DELETE CASCADE,
  n integer NOT NULL,
  -- as it was asked for: no foreign key, the asset may be another organization's, or gone
  media_id bigint NOT NULL,
  status text CHECK (status IN ('updated', 'unchanged', 'failed')),
  error jsonb,
  PRIMARY KEY (operation_id, n)
);
CREATE INDEX bulk_item_waiting ON bulk_item (operation_id, n) WHERE status IS NULL;
CREATE INDEX bulk_item_failed ON bulk_item (operation_id, n) WHERE status = 'failed';
