-- compatible: an older version shows imports as edits without assets, and has no job for them
-- Files that the service fetches from URLs: an operation with an item a URL.
ALTER TABLE bulk_operation ADD COLUMN kind text NOT NULL DEFAULT 'media.bulk' CHECK (kind IN ('media.bulk', 'media.import'));
ALTER TABLE bulk_operation ADD COLUMN created integer NOT NULL DEFAULT 0;

CREATE TABLE import_item (
  operation_id bigint NOT NULL REFERENCES bulk_operation (id) ON DELETE CASCADE,
  n integer NOT NULL,
  -- without its query once the item is done: it may hold a signature
  url text NOT NULL,
  fields jsonb NOT NULL,
  -- whether the request named the file; otherwise what the server says is better than the end of the URL
  named boolean NOT NULL,
  -- NULL: not done yet
  status text CHECK (status IN ('created', 'updated', 'failed')),
  media_id bigint,
  error jsonb,
  -- what is fetched in parts: bytes that are here are not fetched again
  upload_id bigint,
  -- ETag or Last-Modified of what is being fetched, for If-Range
  validator text,
  PRIMARY KEY (operation_id, n)
);
