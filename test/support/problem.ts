import { expect } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes.ts';
import type { Answer } from './app.ts';

/** Asserts that the answer is the problem document of `code` with every member it must have, and returns it. */
export function expectProblem(answer: Answer, code: ErrorCode): Answer['body'] {
  const { status, title } = ERROR_CODES[code];
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ code, status, title });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toMatchObject({
    type: `/docs/errors#${code}`,
    detail: expect.stringMatching(/\S/),
    errors: expect.any(Array),
    request_id: answer.headers.get('x-request-id'),
  });
  for (const error of answer.body['errors']) {
    expect(error).toEqual({
      pointer: expect.any(String),
      code: expect.stringMatching(/^[a-z_]+$/),
      detail: expect.stringMatching(/\S/),
    });
  }
  return answer.body;
}
