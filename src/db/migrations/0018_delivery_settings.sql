-- compatible: an older version leaves the new columns alone, and the requests that it takes are missing in the list of requests; it must
-- not run where deliveries with settings of their own wait
ALTER TABLE delivery
  -- {collision, sidecar, embedMetadata}: what the request says in place of the destination
  ADD COLUMN settings jsonb,
  -- the first of its request: the list of requests reads these
  ADD COLUMN leads_batch boolean NOT NULL DEFAULT false;

UPDATE delivery SET leads_batch = true WHERE id IN (SELECT min(id) FROM delivery GROUP BY batch);

CREATE INDEX delivery_leading ON delivery (organization_id, id) WHERE leads_batch;
