-- compatible: words of assets for text search; an older version keeps working and leaves search_text empty, which the next start fills
-- The words of name and details with their places: weight A, B or C by field. NULL: not computed yet.
ALTER TABLE asset ADD COLUMN search_text tsvector;
CREATE INDEX asset_search_text ON asset USING gin (search_text);
CREATE INDEX asset_search_text_missing ON asset (organization_id, id) WHERE search_text IS NULL;

-- Every word that an asset of the organization has or had: what a mistyped word may have meant. Byte order, so that words
-- with the same beginning lie together whatever the locale of the database.
CREATE TABLE search_word (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, word)
);
