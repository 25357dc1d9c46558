/**
 * The one table of error codes: HTTP status, whether a client may simply try again, and the short title.
 * docs/errors.md is compared with it in both directions by test/architecture/error-docs.test.ts.
 */
export const ERROR_CODES = {
  validation_failed: { status: 400, retryable: false, title: 'The request is not valid' },
  malformed_json: { status: 400, retryable: false, title: 'The body is not JSON' },
  api_key_conflict: { status: 400, retryable: false, title: 'Two different API keys in one request' },
  unknown_tag_option: { status: 400, retryable: false, title: 'A tag option ID is unknown' },
  unknown_collection: { status: 400, retryable: false, title: 'A collection ID is unknown' },
  tag_option_deactivated: { status: 400, retryable: false, title: 'The tag option takes no new tagging' },
  cursor_invalid: { status: 400, retryable: false, title: 'The cursor does not belong to this request' },
  image_parameter_invalid: { status: 400, retryable: false, title: 'An image parameter is not valid' },
  api_key_missing: { status: 401, retryable: false, title: 'An API key is required' },
  api_key_invalid: { status: 401, retryable: false, title: 'The API key is not valid' },
  scope_missing: { status: 403, retryable: false, title: 'The API key lacks a scope' },
  address_not_allowed: { status: 403, retryable: false, title: 'The API key may not be used from this address' },
  media_restricted: { status: 403, retryable: false, title: 'The asset is not public' },
  image_not_allowed: { status: 403, retryable: false, title: 'The organization does not answer this image URL' },
  signature_invalid: { status: 403, retryable: false, title: 'The signature of the URL is not valid' },
  not_found: { status: 404, retryable: false, title: 'Not found' },
  method_not_allowed: { status: 405, retryable: false, title: 'The method is not allowed here' },
  request_timeout: { status: 408, retryable: true, title: 'The request took too long to arrive' },
  conflict: { status: 409, retryable: false, title: 'The request conflicts with the present state' },
  idempotency_key_reused: { status: 409, retryable: false, title: 'The idempotency key was used with another request' },
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    title: 'A request with this idempotency key is still running',
  },
  state_conflict: { status: 409, retryable: false, title: 'The asset is not in a state that allows this' },
  external_id_taken: { status: 409, retryable: false, title: 'The external id belongs to another object' },
  url_expired: { status: 410, retryable: false, title: 'The URL has expired' },
  precondition_failed: { status: 412, retryable: false, title: 'The object has changed since it was read' },
  payload_too_large: { status: 413, retryable: false, title: 'The request is too large' },
  unsupported_media_type: { status: 415, retryable: false, title: 'The content type or file format is not supported' },
  file_empty: { status: 422, retryable: false, title: 'The file is empty' },
  file_damaged: { status: 422, retryable: false, title: 'The file cannot be read' },
  file_limits_exceeded: { status: 422, retryable: false, title: 'The file exceeds a limit on pixels, frames or time' },
  upload_incomplete: { status: 400, retryable: true, title: 'The upload ended early' },
  capability_missing: { status: 501, retryable: false, title: 'This installation lacks a tool for this request' },
  rate_limited: { status: 429, retryable: true, title: 'Too many requests' },
  internal: { status: 500, retryable: true, title: 'An internal error occurred' },
  unavailable: { status: 503, retryable: true, title: 'The service is not available at the moment' },
  overloaded: { status: 503, retryable: true, title: 'The service is busy' },
} as const satisfies Record<string, { status: number; retryable: boolean; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
