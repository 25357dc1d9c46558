-- compatible: an older version does not know the tables; it suggests nobody for faces
-- Whether an organization lets faces be compared; without a row: no.
CREATE TABLE face_settings (
  organization_id bigint PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
  suggestions boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

-- What a face looks like, for the comparison with others; only while the organization lets faces be compared.
CREATE TABLE face_descriptor (
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  asset_id bigint NOT NULL,
  n integer NOT NULL,
  -- 128 numbers, float32, least byte first; null: the face is too small
  descriptor bytea CHECK (octet_length(descriptor) = 512),
  -- the player whose faces it is closest to, and how far (Euclidean)
  suggested_id bigint REFERENCES tag_option (id) ON DELETE SET NULL,
  distance real,
  -- players that a person said it is not
  rejected_ids bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (asset_id, n),
  FOREIGN KEY (asset_id, n) REFERENCES asset_face (asset_id, n) ON DELETE CASCADE
);
CREATE INDEX face_descriptor_organization ON face_descriptor (organization_id, asset_id);
CREATE INDEX face_descriptor_suggested ON face_descriptor (suggested_id) WHERE suggested_id IS NOT NULL;
-- Faces that are linked are what others are compared with.
CREATE INDEX asset_face_owner ON asset_face (tag_option_id) WHERE tag_option_id IS NOT NULL;
