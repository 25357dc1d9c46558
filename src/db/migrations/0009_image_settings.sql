-- compatible: an older version does not know the tables; it serves the images of every organization as `open`
-- Who may have which images of an organization; without a row: open.
CREATE TABLE image_settings (
  organization_id bigint PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  mode text NOT NULL DEFAULT 'open' CHECK (mode IN ('open', 'presets', 'signed')),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Secrets by which an organization signs image URLs itself, at most two that are not revoked. A signature is checked with the
-- secret, so it cannot be kept as a hash.
CREATE TABLE image_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kid text NOT NULL CHECK (kid ~ '^[0-9A-Za-z]{8}$'),
  -- emptied when the key is revoked
  secret bytea,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3),
  CHECK ((secret IS NULL) = (revoked_at IS NOT NULL))
);
CREATE UNIQUE INDEX image_key_kid ON image_key (organization_id, kid);

-- Image parameters under a name: p=<name>.
CREATE TABLE image_preset (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- {parameter: text}, by the names that have no alias
  parameters jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX image_preset_name ON image_preset (organization_id, name);

-- A picture to lay over images, and how: wm=<name>.
CREATE TABLE watermark (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  storage_key text NOT NULL,
  sha256 text NOT NULL,
  mime_type text NOT NULL,
  bytes integer NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  position text NOT NULL,
  -- shares, 0..1
  opacity real NOT NULL,
  scale real NOT NULL,
  margin real NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX watermark_name ON watermark (organization_id, name);
