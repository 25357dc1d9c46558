-- compatible: an older version does not know the table
CREATE TABLE saved_search (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- the body of a media search: filter and options, without cursor and page
  request jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX saved_search_organization ON saved_search (organization_id, id);
