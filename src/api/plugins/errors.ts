import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { AppError, ERROR_CODES, type ErrorCode, messageOf, newRequestId, redactKeys } from '../../base/index.ts';
import { isConnectionError } from '../../db/index.ts';
import { shownUrl } from './request-url.ts';
import { createRouteTable } from './route-table.ts';
import { isSchemaFault, validationError } from './validation.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

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
  FST_ERR_BAD_URL: 'validation_failed',
  FST_ERR_MAX_PARAM_LENGTH: 'validation_failed',
};
/** What Fastify says less clearly. */
const MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'expected the content type application/json, received another one or none',
  FST_ERR_CTP_BODY_TOO_LARGE: 'expected a smaller body: 4 MiB at most, or 32 MiB of actions',
  FST_ERR_CTP_INVALID_JSON_BODY: 'expected a body that is JSON, received one that cannot be parsed',
  FST_ERR_BAD_URL: 'expected a URL whose % are followed by two hexadecimal digits and form UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: 'expected parts of the path of at most 300 characters',
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
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = FASTIFY_CODES[given];
  if (code !== undefined) return new AppError(code, MESSAGES[given] ?? messageOf(error), { cause: error });
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

/** The problem document (RFC 9457) of an error, without any key that a message quotes from the request. */
function problemOf(error: AppError, requestId: string): string {
  const { status, title } = ERROR_CODES[error.code];
  const problem = {
    type: `/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    errors: error.errors,
    ...error.details,
  };
  return redactKeys(JSON.stringify(problem));
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, error: AppError): FastifyReply {
  const { status, retryable } = ERROR_CODES[error.code];
  if (error.retryAfterSeconds !== undefined || (retryable && status === 503)) {
    reply.header('Retry-After', String(error.retryAfterSeconds ?? 1));
  }
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="touchline"');
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type(PROBLEM_TYPE)
    .serializer(String)
    .send(problemOf(error, request.id));
}

/** Answers what Fastify refuses before any hook runs, such as a malformed URL. */
export function sendFrameworkError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply.header('X-Request-Id', request.id), request, toAppError(thrown));
}

/** Answers what is not an HTTP request at all; there is no request object yet. */
export function answerClientError(thrown: Error & { readonly code?: string }, socket: Socket): void {
  if (thrown.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const error =
    thrown.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('payload_too_large', 'expected a request line and headers of at most 16 KiB together')
      : thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new AppError('request_timeout', 'The request did not arrive in time.')
        : new AppError('validation_failed', 'expected an HTTP/1.1 request, received something else');
  const requestId = newRequestId();
  const body = problemOf(error, requestId);
  const head = [
    `HTTP/1.1 ${error.status} ${ERROR_CODES[error.code].title}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function registerErrors(app: FastifyInstance): void {
  const routes = createRouteTable(app);
  const wrongMethod = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) =>
    sendProblem(
      reply.header('Allow', allowed.join(', ')),
      request,
      new AppError('method_not_allowed', `expected ${allowed.join(' or ')}, received ${request.method}`),
    );

  app.setErrorHandler((thrown, request, reply) => {
    if (isSchemaFault(thrown) && thrown.part === 'params') {
      // GET /v1/media/search is meant for the search, not for the asset with the ID "search".
      const literal = routes.methodsAtLiteral(pathOf(request));
      if (literal.length > 0) return wrongMethod(request, reply, literal);
    }
    const error = toAppError(thrown);
    // 499: the client has gone; nobody reads the answer and nothing is wrong here.
    const gone = request.raw.destroyed && !request.raw.complete;
    if (error.status >= 500 && !gone) {
      request.log.error(
        { event: 'request.failed', err: error.cause ?? error, code: error.code, url: shownUrl(request.url) },
        'request failed',
      );
    }
    return sendProblem(reply, request, error);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const allowed = routes.methodsAt(path);
    if (allowed.length > 0) return wrongMethod(request, reply, allowed);
    return sendProblem(
      reply,
      request,
      new AppError('not_found', `There is nothing at ${request.method} ${shownUrl(path)}.`),
    );
  });
}

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? '';
