-- compatible: actions in videos; an older version does not know the tables and leaves `timeline` alone
-- What ties a video to the match: {angle, started_at (RFC 3339), start_tc, periods: [{period, start_ms}]}. NULL: nothing is known.
ALTER TABLE asset ADD COLUMN timeline jsonb;

-- Something that happens in a video. Where it lies in which video is in action_media; asset_id is its own video.
CREATE TABLE action (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  -- a tag option of category `action type`
  type_id bigint NOT NULL REFERENCES tag_option (id),
  label text,
  wallclock_at timestamptz(3),
  period smallint,
  -- the match clock as fed: it runs on, so that the second half of a football match begins at 2,700,000
  clock_ms bigint,
  -- derived from period and clock_ms: the minute as broadcast, 1-based
  minute smallint,
  stoppage smallint,
  match_id bigint REFERENCES tag_option (id),
  -- [{id, side}], side: home, away or null
  clubs jsonb NOT NULL DEFAULT '[]',
  -- [{id, role, shirt}], role and shirt may be null
  players jsonb NOT NULL DEFAULT '[]',
  -- tag options given beside type, match, clubs and players
  extra_tag_ids bigint[] NOT NULL DEFAULT '{}',
  -- all of them, and competition, season and stadium of the match: what a search looks at
  tag_ids bigint[] NOT NULL DEFAULT '{}',
  outcome text,
  -- place on the pitch in 0..100, attack from left to right
  x real,
  y real,
  end_x real,
  end_y real,
  details jsonb NOT NULL DEFAULT '{}',
  -- words of label and details with their places, as asset.search_text
  search_text tsvector NOT NULL DEFAULT '',
  source text NOT NULL DEFAULT 'manual',
  source_ref text,
  source_version bigint,
  confidence real,
  status text NOT NULL DEFAULT 'confirmed' CHECK (status IN ('draft', 'confirmed', 'disputed', 'retracted')),
  parent_id bigint REFERENCES action (id) ON DELETE SET NULL,
  version integer NOT NULL DEFAULT 1,
  created_by text,
  updated_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Deleted actions keep their row, so that an older state of the same event, fed again, does not bring them back.
  deleted_at timestamptz(3)
);
CREATE UNIQUE INDEX action_source ON action (organization_id, source, source_ref) WHERE source_ref IS NOT NULL;
CREATE INDEX action_asset ON action (asset_id);
CREATE INDEX action_match ON action (match_id) WHERE match_id IS NOT NULL;
CREATE INDEX action_parent ON action (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX action_tag_ids ON action USING gin (tag_ids);
CREATE INDEX action_search_text ON action USING gin (search_text);

-- Where an action lies in a video, in ms from its start, half open; equal: a point. A deleted action lies nowhere.
CREATE TABLE action_media (
  -- of this action in this video: what a search over actions finds
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  action_id bigint NOT NULL REFERENCES action (id) ON DELETE CASCADE,
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  start_ms bigint NOT NULL CHECK (start_ms >= 0),
  end_ms bigint NOT NULL CHECK (end_ms >= start_ms),
  event_ms bigint NOT NULL,
  -- found through the match clock or the time of day of another video of the match, not given
  derived boolean NOT NULL DEFAULT false,
  PRIMARY KEY (action_id, asset_id)
);
CREATE INDEX action_media_asset ON action_media (asset_id, start_ms);

-- Every state an action has had, as it was answered. No foreign key: it outlives the action.
CREATE TABLE action_history (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  action_id bigint NOT NULL,
  version integer NOT NULL,
  change text NOT NULL CHECK (change IN ('created', 'updated', 'retracted', 'deleted')),
  -- name of the API key or of the job that wrote it
  actor text,
  state jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, action_id, version)
);
