-- compatible: an older version makes do without the index
-- Actions of one organization, the newest first: the default order of a search over actions, and how many there are.
CREATE INDEX action_created ON action (organization_id, created_at DESC);
