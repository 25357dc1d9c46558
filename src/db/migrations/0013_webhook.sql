-- compatible: an older version does not know the tables
-- Addresses that events are posted to. Each follows the change feed from a position of its own.
CREATE TABLE webhook (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  -- as they were given: media.ready, media.*, *
  types text[] NOT NULL,
  -- first tries at a time; 1 keeps their order
  concurrency integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing', 'asked')),
  disabled_at timestamptz(3),
  -- AES-256-GCM; which key it was is in secret_key_id
  secret bytea NOT NULL,
  secret_key_id text NOT NULL,
  -- signs beside the new one until then
  previous_secret bytea,
  previous_secret_key_id text,
  previous_secret_until timestamptz(3),
  -- messages are made of the events up to this version of the library
  position bigint NOT NULL,
  -- since when no try has succeeded
  failing_since timestamptz(3),
  -- who sends at the moment, and until when that is certain
  lease text,
  leased_until timestamptz(3),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX webhook_organization ON webhook (organization_id, id);

-- One event on its way to one webhook. What is sent is made of the event, which outlives the message.
CREATE TABLE webhook_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  webhook_id bigint NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  event_version bigint NOT NULL,
  event_type text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  -- since it was made or replayed
  tries integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  -- [{started_at, duration_ms, status_code, error_code, error, excerpt}], the last 20
  attempts jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  UNIQUE (webhook_id, event_version)
);
CREATE INDEX webhook_message_first ON webhook_message (webhook_id, event_version) WHERE state = 'pending' AND tries = 0;
CREATE INDEX webhook_message_again ON webhook_message (webhook_id, next_attempt_at) WHERE state = 'pending' AND tries > 0;
CREATE INDEX webhook_message_event ON webhook_message (organization_id, event_version);

-- What is under way, for those who watch it.
CREATE INDEX delivery_running ON delivery (organization_id, id) WHERE state = 'running';
CREATE INDEX clip_running ON clip (organization_id, id) WHERE state = 'running';
CREATE INDEX bulk_operation_running ON bulk_operation (organization_id, id) WHERE state = 'running';
