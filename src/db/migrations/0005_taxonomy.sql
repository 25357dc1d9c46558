-- compatible: an older version knows fewer kinds of relations and sources, and does not see suggestions
ALTER TABLE tag_relation DROP CONSTRAINT tag_relation_kind_check;
ALTER TABLE tag_relation ADD CONSTRAINT tag_relation_kind_check CHECK (kind IN ('player_club', 'player_sponsor', 'club_stadium',
  'club_competition', 'club_parent', 'sponsor_club', 'sponsor_competition'));
-- Which side belongs to which club: read whole, to see that no club becomes its own ancestor.
CREATE INDEX tag_relation_parent ON tag_relation (organization_id) WHERE kind = 'club_parent';

ALTER TABLE match ADD COLUMN status text CHECK (status IN ('scheduled', 'live', 'finished', 'postponed', 'abandoned'));
-- A match without a stadium is played in the one of its home club.
CREATE INDEX match_home ON match (home_id) WHERE stadium_id IS NULL;

ALTER TABLE asset_tag DROP CONSTRAINT asset_tag_source_check;
ALTER TABLE asset_tag ADD CONSTRAINT asset_tag_source_check
  CHECK (source IN ('manual', 'import', 'metadata', 'implied') OR source ~ '^(ai|feed):.');
-- name of the API key that put it there or accepted it, where there was one
ALTER TABLE asset_tag ADD COLUMN actor text;

-- What machines suggest and what people refused. An accepted suggestion is a row of asset_tag instead.
CREATE TABLE asset_tag_suggestion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  asset_id bigint NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
  tag_option_id bigint NOT NULL REFERENCES tag_option (id) ON DELETE CASCADE,
  -- rejected: no machine puts this tag on this asset again
  state text NOT NULL CHECK (state IN ('suggested', 'rejected')),
  -- who suggested it; of a rejected tag, where it came from
  source text NOT NULL,
  confidence real,
  -- name of the API key that suggested or rejected it
  actor text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (asset_id, tag_option_id)
);
CREATE INDEX asset_tag_suggestion_open ON asset_tag_suggestion (organization_id, id) WHERE state = 'suggested';
CREATE INDEX asset_tag_suggestion_option ON asset_tag_suggestion (tag_option_id, id);
