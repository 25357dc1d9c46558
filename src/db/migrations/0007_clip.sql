-- compatible: an older version does not know the table
-- A file cut from videos: asked for, made by a job, kept for some days.
CREATE TABLE clip (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('clip', 'reel')),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'ready', 'failed', 'cancelled')),
  -- 0..1, written while it is made; does not count as a version
  progress real NOT NULL DEFAULT 0,
  name text NOT NULL,
  -- {segments: [{media_id, in_ms, out_ms, event_ms, action_id}], aspect, height, output}: no foreign keys, since a clip outlives
  -- the videos it was cut from
  request jsonb NOT NULL,
  video_key text,
  poster_key text,
  -- {width, height, duration_ms, frames, bytes, sha256, method, segments: [{in_ms, out_ms, at_ms}]}
  facts jsonb,
  failure_code text,
  failure_reason text,
  -- the asset that the clip became
  asset_id bigint REFERENCES asset (id) ON DELETE SET NULL,
  -- part of the URLs
  url_nonce text NOT NULL,
  -- name of the API key
  created_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- when row and files are removed; set when it is ready, failed or cancelled
  expires_at timestamptz(3)
);
CREATE INDEX clip_organization ON clip (organization_id, id);
CREATE INDEX clip_expires ON clip (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX clip_asset ON clip (asset_id) WHERE asset_id IS NOT NULL;
