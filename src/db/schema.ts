import type { ColumnType, Generated } from 'kysely';

/** The tables as the query builder sees them; the truth is db/migrations/. bigint columns are read as numbers (< 2^53). */
type Created = ColumnType<Date, Date | undefined, never>;
type Updated = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string | undefined, string>;

export type Schema = {
  organization: {
    id: Generated<number>;
    slug: string;
    name: string;
    version: Generated<number>;
    signing_key: Buffer;
    created_at: Created;
  };
  change: {
    organization_id: number;
    version: number;
    type: string;
    object_id: number;
    data: Json<Record<string, unknown>>;
    created_at: Created;
  };
  api_key: {
    id: Generated<number>;
    organization_id: number;
    public_id: string;
    secret_sha256: Buffer;
    name: string;
    scopes: string[];
    cidrs: string[];
    requests_per_second: Generated<number>;
    burst: Generated<number>;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
    created_at: Created;
  };
  idempotency: {
    api_key_id: number;
    key: string;
    request_sha256: string;
    status: number | null;
    body: ColumnType<unknown, string | null | undefined, string | null>;
    headers: Json<Record<string, string>>;
    created_at: Created;
  };
  tag_option: {
    id: Generated<number>;
    organization_id: number;
    type: string;
    category: string | null;
    label: string;
    full_name: string | null;
    aliases: string[];
    folded_names: string[];
    status: Generated<string>;
    merged_into: number | null;
    media_count: Generated<number>;
    image_url: string | null;
    version: Generated<number>;
    created_at: Created;
    updated_at: Updated;
  };
  tag_external_id: { organization_id: number; source: string; external_id: string; tag_option_id: number };
  tag_relation: {
    id: Generated<number>;
    organization_id: number;
    kind: string;
    from_id: number;
    to_id: number;
    season_id: number | null;
    shirt_number: number | null;
    position: string | null;
    valid_from: string | null;
    valid_to: string | null;
  };
  match: {
    tag_option_id: number;
    competition_id: number | null;
    season_id: number | null;
    home_id: number | null;
    away_id: number | null;
    stadium_id: number | null;
    round: string | null;
    kick_off: Date | null;
    home_score: number | null;
    away_score: number | null;
  };
  collection: {
    id: Generated<number>;
    organization_id: number;
    name: string;
    version: Generated<number>;
    created_at: Created;
    updated_at: Updated;
  };
  asset: {
    id: Generated<number>;
    organization_id: number;
    media_type: string;
    status: string;
    failure_code: string | null;
    failure_reason: string | null;
    name: string;
    external_id: string | null;
    sha256: string;
    bytes: number;
    mime_type: string;
    extension: string;
    width: number | null;
    height: number | null;
    orientation: string | null;
    duration_ms: number | null;
    frame_rate_num: number | null;
    frame_rate_den: number | null;
    video: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
    has_alpha: Generated<boolean>;
    captured_at: Date | null;
    captured_offset_minutes: number | null;
    rating: number | null;
    usage: Generated<string>;
    usage_at: Date | null;
    details: Json<Record<string, unknown>>;
    /** PostgreSQL's text form of a tsvector. */
    search_text: ColumnType<string | null, string | null | undefined, string | null>;
    focal_x: number | null;
    focal_y: number | null;
    people_count: Generated<number>;
    actions_count: Generated<number>;
    warnings: Generated<string[]>;
    tag_ids: Generated<number[]>;
    collection_ids: Generated<number[]>;
    url_nonce: string;
    revision: Generated<number>;
    version: Generated<number>;
    created_at: Created;
    updated_at: Updated;
    deleted_at: Date | null;
  };
  search_word: { organization_id: number; word: string };
  saved_search: {
    id: Generated<number>;
    organization_id: number;
    name: string;
    request: Json<Record<string, unknown>>;
    version: Generated<number>;
    created_at: Created;
    updated_at: Updated;
  };
  asset_file: {
    asset_id: number;
    quality: string;
    storage_key: string;
    width: number | null;
    height: number | null;
    bytes: number;
    mime_type: string;
  };
  asset_tag: {
    asset_id: number;
    tag_option_id: number;
    source: string;
    confidence: number | null;
    created_at: Created;
  };
  asset_face: {
    asset_id: number;
    n: number;
    x: number;
    y: number;
    w: number;
    h: number;
    score: number;
    tag_option_id: number | null;
  };
};
