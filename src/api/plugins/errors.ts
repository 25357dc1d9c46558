import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, ERROR_CODES, type ErrorCode, messageOf } from '../../base/index.ts';
import { isConnectionError } from '../../db/index.ts';
import { isSchemaFault, validationError } from './validation.ts';

/** Errors of Fastify and its multipart reader that are the caller's, by their code. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'upload_incomplete',
  FST_REQ_FILE_TOO_LARGE: 'payload_too_large',
  FST_PARTS_LIMIT: 'payload_too_large',
  FST_FILES_LIMIT: 'payload_too_large',
  FST_FIELDS_LIMIT: 'payload_too_large',
  FST_ERR_REQUEST_TIMEOUT: 'request_timeout',
};

/** Any error as an AppError; what is not the caller's fault becomes `internal` without its text. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isSchemaFault(error)) return validationError(error);
  if (isConnectionError(error)) {
    return new AppError('unavailable', 'The database does not answer; try again in a moment.', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
  const code = error instanceof Error && 'code' in error ? FASTIFY_CODES[String(error.code)] : undefined;
  if (code !== undefined) return new AppError(code, messageOf(error), { cause: error });
  if (error instanceof SyntaxError && (error as Partial<FastifyError>).statusCode === 400) {
    return new AppError('malformed_json', `The body is not JSON: ${error.message}`, { cause: error });
  }
  const status = error instanceof Error ? (error as Partial<FastifyError>).statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('validation_failed', messageOf(error), { cause: error });
  }
  return new AppError('internal', 'An internal error occurred. The log has it under this request_id.', {
    cause: error,
  });
}

/** The problem document (RFC 9457) of an error. */
export function problemOf(error: AppError, requestId: string) {
  const { status, title } = ERROR_CODES[error.code];
  return {
    type: `/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    errors: error.errors,
    ...error.details,
  };
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  const { status, retryable } = ERROR_CODES[error.code];
  if (error.retryAfterSeconds !== undefined || (retryable && status === 503)) {
    reply.header('Retry-After', String(error.retryAfterSeconds ?? 1));
  }
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="touchline"');
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemOf(error, request.id));
}

export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toAppError(thrown);
    // 499: the client has gone; nobody reads the answer and nothing is wrong here.
    const gone = request.raw.destroyed && !request.raw.complete;
    if (error.status >= 500 && !gone) {
      request.log.error(
        { event: 'request.failed', err: error.cause ?? error, code: error.code, url: request.url },
        'request failed',
      );
    }
    return sendProblem(reply, request, error);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0];
    return sendProblem(reply, request, new AppError('not_found', `There is nothing at ${request.method} ${path}.`));
  });
}
