-- compatible: an older version does not know the table; what it does is not counted
-- What the keys of an organization asked for, by day (UTC). Written every few seconds: a killed process loses the last ones.
CREATE TABLE usage_day (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  day date NOT NULL,
  requests bigint NOT NULL,
  searches bigint NOT NULL,
  PRIMARY KEY (organization_id, day)
);
