-- compatible: an older version does not know the tables, and leaves the new column alone
-- What is done by itself when something happens in the library.
CREATE TABLE rule (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL,
  -- of an enabled rule: paused by the guard against loops, broken when something it needs is gone
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'broken')),
  state_code text,
  state_reason text,
  state_at timestamptz(3),
  -- types of changes
  on_types text[] NOT NULL,
  -- the body of a media search, without options
  filter jsonb NOT NULL,
  -- [{do, ...}] in order
  steps jsonb NOT NULL,
  -- changes after this version of the library are its own: from when it was created, or began to run again
  since_version bigint NOT NULL,
  matched_count bigint NOT NULL DEFAULT 0,
  failed_count bigint NOT NULL DEFAULT 0,
  last_run_at timestamptz(3),
  last_error_at timestamptz(3),
  last_error_code text,
  last_error_reason text,
  -- name of the API key
  created_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX rule_organization ON rule (organization_id, id);

-- What a rule did about one change: each once, so that a batch which is done again does nothing twice.
CREATE TABLE rule_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  rule_id bigint NOT NULL REFERENCES rule (id) ON DELETE CASCADE,
  rule_version integer NOT NULL,
  event_version bigint NOT NULL,
  event_type text NOT NULL,
  object_id bigint NOT NULL,
  -- the asset that was judged; no foreign key: the log outlives it
  media_id bigint NOT NULL,
  -- rules that led to the change, one after the other; 0 when somebody made it
  depth smallint NOT NULL,
  state text NOT NULL CHECK (state IN ('succeeded', 'stopped', 'failed')),
  -- {code, reason}: why it was not done, or not all of it
  failure jsonb,
  -- [{do, status, ...}] as far as they were done
  steps jsonb NOT NULL,
  duration_ms integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (rule_id, event_version)
);
CREATE INDEX rule_run_rule ON rule_run (rule_id, id);
CREATE INDEX rule_run_object ON rule_run (rule_id, object_id, created_at);
CREATE INDEX rule_run_created ON rule_run (created_at);

-- How far rules and saved searches have followed the changes of an organization that has any.
CREATE TABLE rule_position (
  organization_id bigint PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  version bigint NOT NULL
);

-- Saved searches that tell when something begins to match.
ALTER TABLE saved_search ADD COLUMN notify boolean NOT NULL DEFAULT false;
-- What they found last: an asset that is here is no news.
CREATE TABLE saved_search_match (
  saved_search_id bigint NOT NULL REFERENCES saved_search (id) ON DELETE CASCADE,
  media_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  PRIMARY KEY (saved_search_id, media_id)
);
CREATE INDEX saved_search_match_media ON saved_search_match (media_id);
