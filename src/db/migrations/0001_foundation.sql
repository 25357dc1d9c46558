-- compatible: first schema
-- One organization is one tenant. Its `version` numbers its change feed; the row lock taken by every write makes the feed
-- gapless and puts it in commit order.
CREATE TABLE organization (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  -- 32 random bytes: signs file and image URLs and cursors of this organization
  signing_key bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE change (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  version bigint NOT NULL,
  type text NOT NULL,
  object_id bigint NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, version)
);

-- The key itself is never stored: its SHA-256 is enough to recognise it (the secret has 190 bits, so no slow hash is needed).
CREATE TABLE api_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  public_id text NOT NULL UNIQUE,
  secret_sha256 bytea NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  cidrs text[] NOT NULL DEFAULT '{}',
  requests_per_second integer NOT NULL DEFAULT 120,
  burst integer NOT NULL DEFAULT 240,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX api_key_organization ON api_key (organization_id, id);

CREATE TABLE idempotency (
  api_key_id bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
  key text NOT NULL,
  request_sha256 text NOT NULL,
  -- null while the first request is still running
  status integer,
  body jsonb,
  headers jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (api_key_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE tag_option (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('player', 'club', 'stadium', 'competition', 'season', 'match', 'sponsor', 'tag')),
  category text,
  label text NOT NULL,
  full_name text,
  aliases text[] NOT NULL DEFAULT '{}',
  -- label, full name and aliases, folded: what keywords and persons of photographs are matched against
  folded_names text[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated', 'merged')),
  merged_into bigint REFERENCES tag_option (id),
  media_count integer NOT NULL DEFAULT 0,
  image_url text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX tag_option_organization ON tag_option (organization_id, type, id);
CREATE INDEX tag_option_folded_names ON tag_option USING gin (folded_names);

CREATE TABLE tag_external_id (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  source text NOT NULL,
  external_id text NOT NULL,
  tag_option_id bigint NOT NULL REFERENCES tag_option (id) ON DELETE CASCADE,
  PRIMARY KEY (organization_id, source, external_id)
);
CREATE INDEX tag_external_id_option ON tag_external_id (tag_option_id);

-- Dated relations: player_club (shirt number, position), club_stadium, club_competition (in a season), sponsor_club.
CREATE TABLE tag_relation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('player_club', 'club_stadium', 'club_competition', 'sponsor_club')),
  from_id bigint NOT NULL REFERENCES tag_option (id) ON DELETE CASCADE,
  to_id bigint NOT NULL REFERENCES tag_option (id) ON DELETE CASCADE,
  season_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  shirt_number integer,
  position text,
  valid_from date,
  valid_to date
);
CREATE INDEX tag_relation_from ON tag_relation (from_id, kind);
CREATE INDEX tag_relation_to ON tag_relation (to_id, kind);

CREATE TABLE match (
  tag_option_id bigint PRIMARY KEY REFERENCES tag_option (id) ON DELETE CASCADE,
  competition_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  season_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  home_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  away_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  stadium_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  round text,
  kick_off timestamptz(3),
  home_score integer,
  away_score integer
);

CREATE TABLE collection (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX collection_organization ON collection (organization_id, id);

CREATE TABLE asset (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  media_type text NOT NULL CHECK (media_type IN ('photo', 'video')),
  status text NOT NULL CHECK (status IN ('uploading', 'processing', 'ready', 'failed', 'archived')),
  failure_code text,
  failure_reason text,
  name text NOT NULL,
  external_id text,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  mime_type text NOT NULL,
  extension text NOT NULL,
  width integer,
  height integer,
  orientation text CHECK (orientation IN ('landscape', 'portrait', 'square')),
  duration_ms bigint,
  frame_rate_num integer,
  frame_rate_den integer,
  video jsonb,
  -- the original has transparency, which the JPEG tiers cannot keep
  has_alpha boolean NOT NULL DEFAULT false,
  captured_at timestamptz(3),
  -- minutes east of UTC of the camera's clock, where it said so
  captured_offset_minutes integer,
  rating integer CHECK (rating BETWEEN 0 AND 5),
  usage text NOT NULL DEFAULT 'approved' CHECK (usage IN ('approved', 'limited', 'raw', 'embargoed', 'expired')),
  -- embargoed: public from then on; expired: public until then
  usage_at timestamptz(3),
  details jsonb NOT NULL DEFAULT '{}',
  focal_x real,
  focal_y real,
  people_count integer NOT NULL DEFAULT 0,
  actions_count integer NOT NULL DEFAULT 0,
  warnings text[] NOT NULL DEFAULT '{}',
  -- accepted tags of asset_tag and memberships of collection_asset, kept here so that a search reads one row
  tag_ids bigint[] NOT NULL DEFAULT '{}',
  collection_ids bigint[] NOT NULL DEFAULT '{}',
  -- part of every file and image URL; a new one revokes all URLs handed out before
  url_nonce text NOT NULL,
  -- counts content, focal point and faces: changes the image URLs, so that answers may be immutable
  revision integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
CREATE UNIQUE INDEX asset_content ON asset (organization_id, sha256) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX asset_external_id ON asset (organization_id, external_id) WHERE deleted_at IS NULL AND external_id IS NOT NULL;
CREATE INDEX asset_created ON asset (organization_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX asset_captured ON asset (organization_id, captured_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX asset_tag_ids ON asset USING gin (tag_ids);
CREATE INDEX asset_collection_ids ON asset USING gin (collection_ids);
CREATE INDEX asset_bin ON asset (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE asset_file (
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  quality text NOT NULL CHECK (quality IN ('photographer', 'compressed', 'thumbnail', 'poster')),
  storage_key text NOT NULL,
  width integer,
  height integer,
  bytes bigint NOT NULL,
  mime_type text NOT NULL,
  PRIMARY KEY (asset_id, quality)
);
CREATE INDEX asset_file_storage_key ON asset_file (storage_key);

CREATE TABLE asset_tag (
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  tag_option_id bigint NOT NULL REFERENCES tag_option (id) ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('manual', 'import', 'metadata', 'implied')),
  confidence real,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (asset_id, tag_option_id)
);
CREATE INDEX asset_tag_option ON asset_tag (tag_option_id, asset_id);

CREATE TABLE asset_face (
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  n integer NOT NULL,
  x real NOT NULL,
  y real NOT NULL,
  w real NOT NULL,
  h real NOT NULL,
  score real NOT NULL,
  tag_option_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  PRIMARY KEY (asset_id, n)
);
