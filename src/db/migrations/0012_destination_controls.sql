-- compatible: an older version leaves the new columns alone; it must not run where deliveries of renditions wait
ALTER TABLE destination
  -- bytes a second of all its deliveries together
  ADD COLUMN bandwidth_limit bigint,
  -- {days, from, to, time_zone}: when deliveries may start
  ADD COLUMN delivery_window jsonb,
  ADD COLUMN paused boolean NOT NULL DEFAULT false,
  -- what is delivered in place of qualities when a request names neither
  ADD COLUMN rendition jsonb,
  -- counts changes of config and secrets: what a run saw of another target says nothing of this one
  ADD COLUMN target_revision integer NOT NULL DEFAULT 1,
  ADD COLUMN circuit text NOT NULL DEFAULT 'closed' CHECK (circuit IN ('closed', 'open', 'half_open')),
  -- faults of the target since it answered last
  ADD COLUMN circuit_faults integer NOT NULL DEFAULT 0,
  -- times that the circuit opened since it was closed last; the wait grows with them
  ADD COLUMN circuit_openings integer NOT NULL DEFAULT 0,
  ADD COLUMN circuit_retry_at timestamptz(3),
  ADD COLUMN consecutive_failures integer NOT NULL DEFAULT 0,
  ADD COLUMN last_error_at timestamptz(3),
  ADD COLUMN last_error_code text,
  ADD COLUMN last_error_reason text,
  -- when the next run is queued for, so that one job waits and not one for every delivery
  ADD COLUMN wake_at timestamptz(3);

ALTER TABLE delivery
  ALTER COLUMN quality DROP NOT NULL,
  -- {kind: image | clip, ...}; exactly one of quality and rendition is there
  ADD COLUMN rendition jsonb,
  ADD CONSTRAINT delivery_source CHECK ((quality IS NULL) <> (rendition IS NULL)),
  -- ended, and something of it may be left at the target under a temporary name; looked at then
  ADD COLUMN cleanup_at timestamptz(3),
  -- of the rule that asked for it; no foreign key: what was delivered outlives the rule
  ADD COLUMN rule_id bigint,
  -- names one run of that rule: a run that is done again queues nothing again
  ADD COLUMN rule_run text;
CREATE INDEX delivery_rule_run ON delivery (organization_id, rule_run) WHERE rule_run IS NOT NULL;
CREATE INDEX delivery_finished ON delivery (destination_id, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX delivery_cleanup ON delivery (destination_id, cleanup_at) WHERE cleanup_at IS NOT NULL;
